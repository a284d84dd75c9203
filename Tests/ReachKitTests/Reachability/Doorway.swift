import Foundation

/// A TCP port of loopback that a test opens and closes: while it is open, the kernel accepts connections.
final class Doorway {
    /// Why there is none.
    struct Blocked: Error {
        let code: Int32
    }

    /// The port, nobody else's for as long as this lives: a bound socket that does not listen refuses connections.
    let port: UInt16
    private var descriptor: Int32

    /// A closed door.
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

    /// Lets in whoever knocks, from now on.
    func open() throws {
        guard listen(descriptor, 1_024) == 0 else { throw Blocked(code: errno) }
    }

    /// Refuses whoever knocks, from now on.
    func close() throws {
        Foundation.close(descriptor)
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
        guard isBound else { throw Blocked(code: errno) }
        return descriptor
    }
}
