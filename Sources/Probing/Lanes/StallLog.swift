import Synchronization

/// A record that distinguishes a stall of this process, which every lane notices, from a stall of one lane. Each stall
/// of the process is reported once.
final class StallLog: Sendable {
    /// The kind of a stall that a lane has noticed.
    enum Stall {
        /// The process did not run.
        case new
        /// The process did not run, as another lane has noticed first.
        case known
        /// The lane did not run, and others did.
        case ofLane
    }

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

    /// Records that this lane did not run for `gap` until `time`, and returns the kind of the stall.
    func record(_ gap: Duration, until time: Duration, of lane: Int) -> Stall {
        let start = time - gap
        return log.withLock { log in
            guard log.end.map({ $0 <= start }) ?? true else { return .known }
            guard !log.runs.contains(where: { $0.key != lane && $0.value > start }) else { return .ofLane }
            log.end = time
            return .new
        }
    }
}
