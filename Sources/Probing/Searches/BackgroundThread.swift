import LibC

/// A thread that another one may put behind all others. Only Linux has priorities of single threads.
struct BackgroundThread: Sendable {
    #if os(Linux)
        /// Nil where `/proc` does not say.
        private let id: id_t?
        /// PRIO_PROCESS, which the C libraries give different types.
        private static let oneThread: Int32 = 0
    #endif

    /// The thread that calls this.
    static var current: BackgroundThread {
        #if os(Linux)
            // Swift's modules of the C library leave gettid(2) out. The link leads to PROCESS/task/THREAD.
            var buffer = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/thread-self", &buffer, buffer.count)
            let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
            return BackgroundThread(id: path.split(separator: "/").last.flatMap { id_t($0) })
        #else
            BackgroundThread()
        #endif
    }

    /// Gives the thread the lowest priority. It never has a higher one again: that would take a privilege.
    ///
    /// - Returns: whether it has that.
    func lower() -> Bool {
        #if os(Linux)
            id.map { setpriority(Self.oneThread, $0, 19) == 0 } ?? false
        #else
            false
        #endif
    }
}
