#if Fetch
import LibC
import NIOPosix

/// Runs a body that can block – a write to a full pipe, a read from a slow disk – on a thread pool for blocking calls,
/// not on the threads that tasks share.
func runBlocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws(Fetch.Error) -> Value
) async throws(Fetch.Error) -> Value {
    let result: Result<Value, Fetch.Error>
    do {
        result = try await NIOThreadPool.singleton.runIfActive { Result { () throws(Fetch.Error) in try body() } }
    } catch {
        // The task was cancelled before a thread was free.
        throw .cancelled
    }
    return try result.get()
}

/// Writes all bytes to a descriptor, and blocks while it is full.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, named name: String) throws(Fetch.Error) {
    var rest = bytes
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
            // Another process that shares the descriptor may have made it non-blocking.
            var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&polled, 1, -1)
        } else if errno != EINTR {
            throw Fetch.Error("write", name, errno: errno)
        }
    }
}
#endif
