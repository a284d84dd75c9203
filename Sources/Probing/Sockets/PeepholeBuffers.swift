#if os(Linux)
    import NIOCore

    /// SwiftNIO asks for a buffer before each reading, as long as it is told that the next may be another.
    struct PeepholeBuffers: RecvByteBufferAllocator {
        let peephole: NIOLoopBound<Peephole>

        func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
            peephole.value.room(by: allocator)
        }

        mutating func record(actualReadBytes: Int) -> Bool { true }
    }
#endif
