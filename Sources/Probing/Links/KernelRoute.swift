import LibC
import Monitoring
import NIOCore

/// The kernel's route to an address, and the source address of its packets.
enum KernelRoute: Sendable, Hashable {
    /// There is a route, with this source address.
    case from(IPAddress)
    /// There is no route.
    case none(Outcome)

    /// Looks the route up by connecting a datagram socket, which sends nothing.
    ///
    /// - Parameter origin: the source of the packets; nil leaves the choice to the system.
    init(to address: IPAddress, leaving origin: Origin? = nil) {
        let descriptor = socket(address.family == .ipv4 ? AF_INET : AF_INET6, SocketType.datagram, 0)
        guard descriptor >= 0 else {
            self = .none(Outcome(noRouteBecause: errno, to: address))
            return
        }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if let code = origin?.apply(to: descriptor, address.family), code != 0 {
            self = .none(Outcome(noRouteBecause: code, to: address))
            return
        }
        // Without this option, a broadcast address is refused.
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<CInt>.size))
        // Any port but zero, which macOS refuses; this is the discard port (RFC 863).
        let code = address.socketAddress(port: 9).withSockAddr { pointer, size in
            connect(descriptor, pointer, socklen_t(size)) == 0 ? 0 : errno
        }
        guard code == 0 else {
            self = .none(Outcome(noRouteBecause: code, to: address))
            return
        }
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let source = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                getsockname(descriptor, pointer, &size) == 0 ? IPAddress(pointer) : nil
            }
        }
        guard let source, !source.isUnspecified else {
            self = .none(.failure(Failure(.noRoute, detail: "no address to send from")))
            return
        }
        self = .from(source)
    }

    /// The source addresses of the default routes, one for each family that has one. The destinations are reserved for
    /// documentation (RFC 5737, RFC 3849): no route but the default one leads to them.
    static func defaultSources() -> [IPAddress] {
        ["203.0.113.1", "2001:db8::1"].compactMap { text in
            guard let address = IPAddress(literal: text), case .from(let source) = KernelRoute(to: address) else {
                return nil
            }
            return source
        }
    }
}

extension Outcome {
    /// Creates the outcome of a failed route lookup from its error number.
    fileprivate init(noRouteBecause code: CInt, to address: IPAddress) {
        let detail: String
        switch code {
        case EADDRNOTAVAIL: detail = "no address to send from"
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            detail = "this machine has no \(address.family == .ipv4 ? "IPv4" : "IPv6")"
        case ENODEV, ENXIO: detail = "no such interface"
        case EACCES, EPERM: detail = "route prohibited"
        default:
            let outcome = Outcome(errno: code, to: address)
            guard case .failure(let failure) = outcome else {
                self = outcome
                return
            }
            detail = failure.detail
        }
        self = .failure(Failure(.noRoute, detail: detail))
    }
}
