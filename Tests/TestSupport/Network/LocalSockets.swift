import Foundation
import ReachSystem
import Synchronization

/// Ports on loopback that are closed until a test opens them.
///
/// They are below those that systems choose for programs: the port of a server that was closed can be given to another
/// test.
public enum ClosedPorts {
    private static let last = Atomic<UInt16>(10_000)

    /// Returns a port that nothing listens on. Each is returned once.
    public static func next() -> UInt16 {
        while true {
            let port = last.add(1, ordering: .relaxed).newValue
            if isFree(port) { return port }
        }
    }

    private static func isFree(_ port: UInt16) -> Bool {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// A datagram socket that receives the messages to a service manager.
public final class NotifyReceiver: Sendable {
    /// The name of the socket, for `NOTIFY_SOCKET`.
    public let name: String
    private let descriptor: Int32

    /// Opens a socket with a unique path, or with a name in Linux's abstract namespace.
    public init(isAbstract: Bool) throws {
        let path = "reach-notify-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        name = isAbstract ? "@\(path)" : "/tmp/\(path)"
        #if canImport(Glibc)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: bytes)
            if isAbstract { path[0] = 0 }
        }
        let prefix = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(prefix + bytes.count + (isAbstract ? 0 : 1))
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        close(descriptor)
        unlink(name)
    }

    /// Returns the messages received since the last call.
    public func messages() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return messages }
            messages.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}
