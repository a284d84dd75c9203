#if os(Linux)
import ReachSystem

import NIOCore
import NIOPosix
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

/// Reads from a UDP socket, which needs no privilege; the queue treats it like an ICMP socket.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct DatagramQueueTests {
    /// A queue, and a socket that sends to it. Confined to its event loop.
    private final class Scene {
        let queue: DatagramQueue
        let descriptor: CInt
        let peer: Port
        let port: UInt16

        init(on loop: any EventLoop, receive: @escaping ([UInt8], IPAddress, Duration?) -> Void) throws {
            let own = try Port()
            descriptor = own.descriptor
            port = own.number
            peer = try Port()
            var on: CInt = 1
            setsockopt(descriptor, CInt(IPPROTO_IP), CInt(IP_RECVERR), &on, socklen_t(MemoryLayout<CInt>.size))
            setsockopt(descriptor, SOL_SOCKET, KernelTimestamp.option, &on, socklen_t(MemoryLayout<CInt>.size))
            let listener = EchoListener(
                receive: { receive(Array($0), $1, $2) },
                receiveError: { _, _ in Issue.record("no echo request was sent") },
                batchEnded: {},
                ended: {}
            )
            queue = DatagramQueue(of: descriptor, capacity: 256, on: loop, for: DatagramListener(listener, filter: nil))
        }

        /// Sends a datagram of four bytes to the queue.
        func send(_ number: UInt32) {
            let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
            peer.send(bytes, to: port)
        }

        /// Sends a datagram from the queue's socket to a closed port, which adds an error to its error queue.
        func provoke() throws {
            let gone = try Port()
            closeDescriptor(gone.descriptor)
            Port(descriptor: descriptor, number: port).send([1], to: gone.number)
        }
    }

    /// A socket on loopback.
    private struct Port {
        let descriptor: CInt
        let number: UInt16

        init(descriptor: CInt, number: UInt16) {
            (self.descriptor, self.number) = (descriptor, number)
        }

        init() throws {
            let descriptor = socket(AF_INET, SocketType.datagram, 0)
            let loopback = try #require(IPAddress(literal: "127.0.0.1"))
            let isBound = loopback.withSocketAddress { bind(descriptor, $0, $1) == 0 }
            try #require(isBound)
            self.init(descriptor: descriptor, number: try #require(LocalEndpoint(of: descriptor)).port)
        }

        func send(_ bytes: [UInt8], to port: UInt16) {
            _ = IPAddress(literal: "127.0.0.1")?.withSocketAddress(port: port) { address, size in
                sendto(descriptor, bytes, bytes.count, 0, address, size)
            }
        }
    }

    /// The datagrams that a queue receives of `count`; `before` is called before each one is sent.
    private func received(
        of count: UInt32,
        isPolled: Bool = false,
        before: @escaping @Sendable (Scene, UInt32) throws -> Void
    ) async throws -> [UInt32] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (numbers, number) = AsyncStream.makeStream(of: UInt32.self)
        let scene = try await loop.submit {
            let scene = try Scene(on: loop) { bytes, source, stamp in
                #expect(source == IPAddress(ipv4: 0x7F00_0001))
                #expect(stamp.map { abs(($0 - .sinceEpoch).inSeconds) < 60 } == true)
                number.yield(bytes.reduce(0) { $0 << 8 | UInt32($1) })
            }
            scene.queue.read(isPolled: isPolled)
            return NIOLoopBound(scene, eventLoop: loop)
        }.get()
        var iterator = numbers.makeAsyncIterator()
        var received: [UInt32] = []
        for first in stride(from: 0, to: count, by: 100) {
            // At most as many at a time as the smallest receive buffer holds.
            try await loop.submit {
                for number in first..<min(first + 100, count) {
                    try before(scene.value, number)
                    scene.value.send(number)
                }
                if isPolled { scene.value.queue.read(isPolled: true) }
            }.get()
            while received.count < min(first + 100, count), let next = await iterator.next() {
                received.append(next)
            }
        }
        try await loop.submit {
            scene.value.queue.close()
            closeDescriptor(scene.value.peer.descriptor)
        }.get()
        return received
    }

    @Test func `every datagram is received once, in order, with its sender`() async throws {
        #expect(try await received(of: 1_000) { _, _ in } == Array(0..<1_000))
    }

    @Test func `a polled queue receives every datagram`() async throws {
        #expect(try await received(of: 1_000, isPolled: true) { _, _ in } == Array(0..<1_000))
    }

    @Test func `a queue that is no longer polled wakes the loop again`() async throws {
        let received = try await received(of: 300) { scene, number in
            scene.queue.read(isPolled: !number.isMultiple(of: 100))
            if number % 100 == 99 { scene.queue.read(isPolled: false) }
        }
        #expect(received == Array(0..<300))
    }

    @Test(arguments: [false, true])
    func `errors in the queue cost no datagram`(isPolled: Bool) async throws {
        let received = try await received(of: 1_000, isPolled: isPolled) { scene, number in
            if number.isMultiple(of: 7) { try scene.provoke() }
        }
        #expect(received == Array(0..<1_000))
    }

    @Test func `more errors than are read at a time cost no datagram`() async throws {
        let received = try await received(of: 300) { scene, number in
            if number.isMultiple(of: 100) { for _ in 0..<150 { try scene.provoke() } }
        }
        #expect(received == Array(0..<300))
    }
}
#endif
