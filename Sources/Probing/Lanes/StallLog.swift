import Synchronization

/// A record that distinguishes a stall of this process, which every lane notices, from a stall of one lane. Each stall
/// of the process is reported once.
final class StallLog: Sendable {
    private struct Log {
        /// The end of the last reported stall.
        var end: Duration?
        /// When each lane last ran.
        var runs: [Int: Duration] = [:]
    }

    private let log = Mutex(Log())

    /// Records that a lane ran.
    func recordRun(_ lane: Int, at time: Duration) {
        log.withLock { $0.runs[lane] = time }
    }

    /// Whether `gap`, in which this lane did not run until `time`, is a stall of the process that is not yet reported.
    /// It is no such stall if another lane ran meanwhile.
    func isNew(_ gap: Duration, until time: Duration, to lane: Int) -> Bool {
        let start = time - gap
        return log.withLock { log in
            guard log.end.map({ $0 <= start }) ?? true else { return false }
            guard !log.runs.contains(where: { $0.key != lane && $0.value > start }) else { return false }
            log.end = time
            return true
        }
    }
}
