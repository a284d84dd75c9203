#if os(Linux)
import ReachSystem

import NIOCore
import NIOEmbedded
import NIOPosix
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct ConnectWatchTests {
    /// A socket that is not writable until its peer has read, like one that is still connecting.
    private struct BlockedSocket {
        let descriptor: CInt
        private let peer: CInt

        init() throws {
            var pair: [CInt] = [0, 0]
            try #require(socketpair(AF_UNIX, SocketType.stream, 0, &pair) == 0)
            (descriptor, peer) = (pair[0], pair[1])
            for end in pair { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            fill()
        }

        private func fill() {
            let bytes = [UInt8](repeating: 0, count: 65_536)
            while write(descriptor, bytes, bytes.count) > 0 {}
        }

        func free() {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while read(peer, &bytes, bytes.count) > 0 {}
        }

        func close() {
            closeDescriptor(descriptor)
            closeDescriptor(peer)
        }
    }

    @Test func `an armed watch wakes for each ready socket and returns it once`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (wakeups, wakeup) = AsyncStream.makeStream(of: [Int].self)
        let blocked = try [BlockedSocket(), BlockedSocket()]
        let box = try await loop.submit {
            var wake: () -> Void = {}
            let watch = try ConnectWatch(on: loop) { wake() }
            wake = { [weak watch] in wakeup.yield(watch?.readyTickets() ?? []) }
            for (index, socket) in blocked.enumerated() { try watch.add(socket.descriptor, as: index + 7) }
            #expect(watch.readyTickets().isEmpty)
            watch.arm()
            return NIOLoopBound(watch, eventLoop: loop)
        }.get()
        var wakes = wakeups.makeAsyncIterator()
        for index in blocked.indices {
            blocked[index].free()
            #expect(await wakes.next() == [index + 7])
            try await loop.submit {
                #expect(box.value.readyTickets().isEmpty, "each is returned once")
                box.value.arm()
            }.get()
        }
        try await loop.submit { box.value.close() }.get()
        for socket in blocked { socket.close() }
    }

    @Test func `a watch does not wake unless armed, nor after it is closed`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let blocked = try BlockedSocket()
        try await loop.submit {
            let watch = try ConnectWatch(on: loop) { Issue.record("woken") }
            try watch.add(blocked.descriptor, as: 1)
            blocked.free()
            #expect(watch.readyTickets() == [1])
            watch.arm()
            watch.close()
            #expect(watch.readyTickets().isEmpty)
            watch.arm()
        }.get()
        // Pending events have arrived by the next turn.
        try await loop.submit {}.get()
        blocked.close()
    }
}

/// The limit on descriptors is that of the whole process.
@Suite(.serialized, .alone, .timeLimit(.minutes(1)))
struct ConnectWatchLimitTests {
    @Test func `out of descriptors, a watch wakes after a while, unless it is closed`() throws {
        let loop = EmbeddedEventLoop()
        var wakes = 0
        let watch = try ConnectWatch(on: loop) { wakes += 1 }
        let limit = DescriptorLimit.current
        DescriptorLimit(soft: 0, hard: limit.hard).apply()
        defer { limit.apply() }
        watch.arm()
        watch.arm()
        loop.advanceTime(by: .milliseconds(20))
        #expect(wakes == 1)
        watch.arm()
        watch.close()
        loop.advanceTime(by: .milliseconds(20))
        #expect(wakes == 1)
    }
}
#endif
