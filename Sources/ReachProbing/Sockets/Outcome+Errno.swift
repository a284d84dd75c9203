import NIOCore
import ReachMonitoring
import ReachSystem

extension Outcome {
    /// Creates the outcome of a probe from an error number of sending or connecting.
    init(errno code: CInt, to address: IPAddress? = nil) {
        self =
            switch code {
            case ECONNREFUSED: .failure(Failure(.refused))
            case ECONNRESET, ECONNABORTED: .failure(Failure(.reset))
            case EPIPE, ENOTCONN: .failure(Failure(.closed))
            case EHOSTUNREACH, EHOSTDOWN: .failure(Failure(.hostUnreachable))
            case _ where Self.unreachableCodes.contains(code): .failure(Failure(.hostUnreachable))
            case ENETUNREACH, ENETDOWN:
                address.flatMap(Fault.manyHosts).map { .fault($0) } ?? .failure(Failure(.networkUnreachable))
            // Only this machine reports these, never the network, except EACCES for IPv6.
            case EPERM: .fault(.localFilter)
            case EACCES: Self(refusedAccessTo: address)
            case EPROTO: .failure(Failure(.protocolError))
            case ETIMEDOUT: .timeout
            case EINVAL where address?.lacksInterface == true:
                .fault(Fault(.internal, detail: "link-local address without interface – add it, as in fe80::1%eth0"))
            // Linux reports a blackhole route with this error.
            case EINVAL where address != nil: .fault(.blackholeRoute)
            case EADDRNOTAVAIL, EAFNOSUPPORT, EPROTONOSUPPORT: Self(lackingAddressBy: code, to: address)
            default: .fault(Fault(errno: code))
            }
    }

    /// Creates the outcome for a missing local address. A machine without a source address has no route, as with IPv6
    /// switched off; one without a free port for a connection has a fault.
    private init(lackingAddressBy code: CInt, to address: IPAddress?) {
        if let address, case .none(.failure(let failure)) = KernelRoute(to: address), failure.reason == .noRoute {
            self = .failure(failure)
        } else {
            self = .fault(Fault(errno: code))
        }
    }

    /// The error numbers for the less common ICMP messages: "protocol unreachable", "source route failed" and "source
    /// host isolated" (`icmp_err_convert` of net/ipv4/icmp.c).
    private static let unreachableCodes: [CInt] = {
        #if canImport(Darwin)
        [ENOPROTOOPT]
        #else
        [ENOPROTOOPT, EOPNOTSUPP, ENONET]
        #endif
    }()

    /// Creates the outcome of a probe from an error of SwiftNIO.
    init(_ error: any Error, to address: IPAddress) {
        switch error {
        case let fault as Fault: self = .fault(fault)
        case let failure as Failure: self = .failure(failure)
        case let error as IOError: self.init(errno: error.errnoCode, to: address)
        case ChannelError.connectTimeout: self = .timeout
        case ChannelError.ioOnClosedChannel, ChannelError.eof, ChannelError.alreadyClosed:
            self = .failure(Failure(.closed))
        default: self = .fault(Fault(.internal, detail: "\(error)"))
        }
    }
}

extension Fault {
    /// Creates a fault from an error number: a resource that this machine lacks.
    init(errno code: CInt) {
        switch code {
        case EMFILE:
            #if canImport(Darwin)
            let cure = "launchctl limit maxfiles 65536 65536"
            #else
            // The soft limit is already at the maximum. Raising the hard limit takes effect at once.
            let cure = "prlimit --pid \(getpid()) --nofile=65536:65536"
            #endif
            self.init(.tooManyFiles, detail: "out of file descriptors", cures: [cure])
        case ENFILE:
            let cure = "sysctl -w fs.file-max=2097152"
            self.init(.tooManyFiles, detail: "the machine is out of file descriptors", cures: [cure])
        case ENOMEM, ENOBUFS, EAGAIN:
            self.init(.noMemory, detail: "the kernel is out of buffers")
        case EADDRNOTAVAIL:
            self.init(.internal, detail: "no free local address or port")
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            self.init(.internal, detail: "address family not supported by this machine")
        default:
            self.init(.internal, detail: SystemError(code).description)
        }
    }
}

extension Fault {
    /// The fault of a probe that a packet filter of this machine dropped or rejected.
    static let localFilter = Fault(.localFilter, detail: "the packet filter of this machine refused it")
    /// The fault of a probe with a route of the type `prohibit` (ip-route(8)).
    static let prohibitRoute = Fault(.localFilter, detail: "a prohibit route of this machine refused it")
    /// The fault of a probe with a route of the type `blackhole` (ip-route(8)).
    static let blackholeRoute = Fault(.localFilter, detail: "a blackhole route of this machine dropped it")

    /// The fault of a probe of an address of many hosts, whose replies would come from other addresses; nil for other
    /// addresses.
    static func manyHosts(at address: IPAddress) -> Fault? {
        guard address.isMulticast || address.isBroadcast else { return nil }
        let kind = address.isMulticast ? "multicast" : "broadcast"
        return Fault(.internal, detail: "\(kind) address: use the address of a host")
    }
}

extension Outcome {
    /// Creates the outcome for EACCES from sending or connecting. The causes are a route, an address that needs
    /// SO_BROADCAST (ip(7)), a security module, and, for IPv6 only, a router that prohibits the connection
    /// (`icmpv6_err_convert` of net/ipv6/icmp.c).
    init(refusedAccessTo address: IPAddress?) {
        guard let address else {
            self = .fault(.localFilter)
            return
        }
        if let fault = Fault.manyHosts(at: address) {
            self = .fault(fault)
        } else if case .none = KernelRoute(to: address) {
            self = .fault(.prohibitRoute)
        } else {
            self = address.family == .ipv6 ? .failure(Failure(.prohibited)) : .fault(.localFilter)
        }
    }
}
