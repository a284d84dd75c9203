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

    /// The nice value of threads that search, in which event loops come first: a third of the share of a processor.
    static let searching: Int32 = 5
    /// The nice value of the lowest priority.
    static let lowest: Int32 = 19

    /// Lowers the priority to a nice value, unless it is lower. Raising it again would need a privilege.
    ///
    /// - Returns: whether the thread has that priority now, or a lower one.
    @discardableResult
    func lowerPriority(to nice: Int32) -> Bool {
        #if os(Linux)
        guard let id else { return false }
        return getpriority(Self.priorityOfProcess, id) >= nice || setpriority(Self.priorityOfProcess, id, nice) == 0
        #else
        false
        #endif
    }
}
