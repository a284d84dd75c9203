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
    do throws(SystemError) {
        try writeAll(bytes, to: descriptor)
    } catch {
        throw Fetch.Error("write", name, errno: error.code)
    }
}
#endif
