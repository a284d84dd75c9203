import Synchronization

/// Tells a stall of this process, which every lane notices for itself, from one of a lane alone, and has it told once.
final class StallLog: Sendable {
    private struct Log {
        /// The end of the stall that was told last.
        var end: Duration?
        /// When each lane ran last.
        var runs: [Int: Duration] = [:]
    }

    private let log = Mutex(Log())

    /// A lane has done what was due.
    func ran(_ lane: Int, at time: Duration) {
        log.withLock { $0.runs[lane] = time }
    }

    /// Whether `gap`, in which this lane did not run until `time`, is one of the process that nobody has told yet. It is
    /// none if another lane ran meanwhile.
    func isNews(_ gap: Duration, until time: Duration, to lane: Int) -> Bool {
        let start = time - gap
        return log.withLock { log in
            guard log.end.map({ $0 <= start }) ?? true else { return false }
            guard !log.runs.contains(where: { $0.key != lane && $0.value > start }) else { return false }
            log.end = time
            return true
        }
    }
}
