#if os(Linux)
    import LibC

    import NIOCore
    import NIOPosix
    import Testing

    @testable import Probing

    @Suite(.timeLimit(.minutes(1)))
    struct ConnectWatchTests {
        /// A socket that takes nothing until its peer has read, as one that is still connecting.
        private struct Stuck {
            let descriptor: CInt
            private let peer: CInt

            init() throws {
                var pair: [CInt] = [0, 0]
                try #require(socketpair(AF_UNIX, SocketType.connecting, 0, &pair) == 0)
                (descriptor, peer) = (pair[0], pair[1])
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

        @Test func `who listens is woken for each that is over, time and again, and told of it once`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let (turns, turn) = AsyncStream.makeStream(of: [Int].self)
            let stuck = try [Stuck(), Stuck()]
            let box = try await loop.submit {
                var ring: () -> Void = {}
                let watch = try ConnectWatch(on: loop) { ring() }
                ring = { [weak watch] in turn.yield(watch?.take() ?? []) }
                for (index, socket) in stuck.enumerated() { try watch.add(socket.descriptor, as: index + 7) }
                #expect(watch.take().isEmpty)
                watch.listen()
                return NIOLoopBound(watch, eventLoop: loop)
            }.get()
            var rings = turns.makeAsyncIterator()
            for index in stuck.indices {
                stuck[index].free()
                #expect(await rings.next() == [index + 7])
                try await loop.submit {
                    #expect(box.value.take().isEmpty, "it was told of")
                    box.value.listen()
                }.get()
            }
            try await loop.submit { box.value.close() }.get()
            for socket in stuck { socket.close() }
        }

        @Test func `nobody is woken who does not listen, and a closed one hears nothing`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let stuck = try Stuck()
            try await loop.submit {
                let watch = try ConnectWatch(on: loop) { Issue.record("rung") }
                try watch.add(stuck.descriptor, as: 1)
                stuck.free()
                #expect(watch.take() == [1])
                watch.listen()
                watch.close()
                #expect(watch.take().isEmpty)
                watch.listen()
            }.get()
            // Whatever was on its way has come by the next turn.
            try await loop.submit {}.get()
            stuck.close()
        }
    }
#endif
