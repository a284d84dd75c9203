import Foundation

/// A TCP port on loopback that a test opens and closes. While it is open, the kernel accepts connections.
final class LoopbackListener {
    /// The port cannot be bound or opened.
    struct SocketError: Error {
        let code: Int32
    }

    /// The port, reserved for the lifetime of this object: a bound socket that does not listen refuses connections.
    let port: UInt16
    private var descriptor: Int32

    /// Reserves a port, which is closed.
    init() throws {
        let descriptor = try Self.bound(to: 0)
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        Foundation.close(descriptor)
    }

    /// Accepts connections from now on.
    func open() throws {
        guard listen(descriptor, 1_024) == 0 else { throw SocketError(code: errno) }
    }

    /// Refuses connections from now on.
    func close() throws {
        Foundation.close(descriptor)
        // If the port cannot be bound again, `deinit` must not close another file of this number.
        descriptor = -1
        descriptor = try Self.bound(to: port)
    }

    private static func bound(to port: UInt16) throws -> Int32 {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw SocketError(code: errno) }
        return descriptor
    }
}
