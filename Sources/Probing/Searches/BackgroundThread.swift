import LibC

/// A thread whose priority another thread can lower. Only Linux has priorities per thread.
struct BackgroundThread: Sendable {
    #if os(Linux)
    /// The thread identifier; nil if `/proc` does not have it.
    let id: id_t?
    /// PRIO_PROCESS, which has different types in the C libraries.
    private static let priorityOfProcess: Int32 = 0
    #endif

    /// The thread that calls this.
    static var current: BackgroundThread {
        #if os(Linux)
        // Swift's C library modules do not export gettid(2). The link leads to PROCESS/task/THREAD.
        var buffer = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/thread-self", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return BackgroundThread(id: path.split(separator: "/").last.flatMap { id_t($0) })
        #else
        BackgroundThread()
        #endif
    }

    /// Gives the thread the lowest priority. Raising it again would need a privilege.
    ///
    /// - Returns: whether the priority was changed.
    func lowerPriority() -> Bool {
        #if os(Linux)
        id.map { setpriority(Self.priorityOfProcess, $0, 19) == 0 } ?? false
        #else
        false
        #endif
    }
}
