import LibC

import Testing

@testable import Probing

/// A listener with a full accept queue: the kernel drops further SYN packets.
final class FullListener: Sendable {
    let port: UInt16
    private let descriptor: CInt
    private let first: CInt

    /// - Parameter port: zero for any port.
    init(host: String = "127.0.0.1", port: UInt16 = 0) throws {
        descriptor = socket(AF_INET, SocketType.stream, 0)
        first = socket(AF_INET, SocketType.stream, 0)
        let (descriptor, first) = (descriptor, first)
        let address = try #require(IPAddress(literal: host))
        let isBound = address.withSocketAddress(port: port) {
            bind(descriptor, $0, $1) == 0 && listen(descriptor, 0) == 0
        }
        try #require(isBound)
        self.port = try #require(LocalEndpoint(of: descriptor)).port
        let isFull = address.withSocketAddress(port: self.port) { connect(first, $0, $1) == 0 }
        try #require(isFull)
    }

    /// Accepts a connection, which makes room in the queue.
    func open() {
        closeDescriptor(accept(descriptor, nil, nil))
    }

    deinit {
        closeDescriptor(descriptor)
        closeDescriptor(first)
    }
}
