#if os(Linux)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    import NIOCore
    import NIOPosix
    import Testing

    @testable import Probing

    @Suite(.timeLimit(.minutes(1)))
    struct DoorbellTests {
        /// A doorbell at one end of a pair of sockets, and what its rings tell. Confined to its event loop.
        private final class Door {
            let ends: [CInt]
            private(set) var rings = 0
            private let rang: (Int) -> Void
            private(set) lazy var bell = Doorbell(of: ends[0], on: loop) { [unowned self] in
                rings += 1
                rang(rings)
            }
            private let loop: any EventLoop

            init(on loop: any EventLoop, rang: @escaping (Int) -> Void) throws {
                var ends: [CInt] = [-1, -1]
                try #require(socketpair(AF_UNIX, SocketType.datagram, 0, &ends) == 0)
                (self.ends, self.loop, self.rang) = (ends, loop, rang)
            }

            deinit {
                for end in ends { closeDescriptor(end) }
            }

            func send(_ bytes: [UInt8]) {
                _ = write(ends[1], bytes, bytes.count)
            }

            func read() -> [UInt8] {
                var reading = DatagramReading(room: 16)
                return reading.next(from: ends[0]) == 0 ? Array(reading.bytes) : []
            }
        }

        @Test func `it rings once for each arming while anything is unread, and reads nothing itself`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let (rings, ring) = AsyncStream.makeStream(of: Int.self)
            let door = try await loop.submit {
                let door = try Door(on: loop) { ring.yield($0) }
                door.send([1])
                door.send([])
                door.bell.arm()
                door.bell.arm()
                return NIOLoopBound(door, eventLoop: loop)
            }.get()
            var iterator = rings.makeAsyncIterator()
            #expect(await iterator.next() == 1)
            // Unread, it rings again, though nothing new came; and an empty datagram is one to be read like any other.
            try await loop.submit { door.value.bell.arm() }.get()
            #expect(await iterator.next() == 2)
            let read = try await loop.submit {
                let first = door.value.read()
                door.value.bell.arm()
                return first
            }.get()
            #expect(read == [1])
            #expect(await iterator.next() == 3)
            try await loop.submit {
                #expect(door.value.read().isEmpty)
                door.value.bell.arm()
            }.get()
            try await loop.submit { #expect(door.value.rings == 3, "there was nothing to read") }.get()
            try await loop.submit { door.value.send([2]) }.get()
            #expect(await iterator.next() == 4)
        }

        @Test func `closed, it is silent, and the socket is still the owner's`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let door = try await loop.submit {
                let door = try Door(on: loop) { _ in Issue.record("it rang") }
                door.bell.arm()
                door.send([1])
                door.bell.close()
                door.bell.arm()
                return NIOLoopBound(door, eventLoop: loop)
            }.get()
            for _ in 0..<5 { try await loop.submit {}.get() }
            #expect(try await loop.submit { door.value.read() }.get() == [1])
        }
    }
#endif
