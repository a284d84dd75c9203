#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

import Testing

@testable import Probing

/// A listener with room for one connection, which nobody accepts: the kernel drops what asks for another.
final class FullListener: Sendable {
    let port: UInt16
    private let descriptor: CInt
    private let first: CInt

    /// - Parameter port: any if it is zero.
    init(host: String = "127.0.0.1", port: UInt16 = 0) throws {
        descriptor = socket(AF_INET, SocketType.stream, 0)
        first = socket(AF_INET, SocketType.stream, 0)
        let (descriptor, first) = (descriptor, first)
        let address = try #require(IPAddress(literal: host))
        var storage = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = address.withSocketAddress(port: port) {
            bind(descriptor, $0, $1) == 0 && listen(descriptor, 0) == 0
        }
        try #require(isBound)
        let isFull = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size) == 0 && connect(first, $0, size) == 0
            }
        }
        try #require(isFull)
        self.port = UInt16(bigEndian: storage.sin_port)
    }

    /// Makes room for one more.
    func open() {
        closeDescriptor(accept(descriptor, nil, nil))
    }

    deinit {
        closeDescriptor(descriptor)
        closeDescriptor(first)
    }
}
