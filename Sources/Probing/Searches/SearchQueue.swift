import Monitoring
import NIOCore

/// The order of searches, as a state machine: which begin, which wait, and which patterns are out of use.
///
/// One search runs for each pattern at a time, and a few at all. A search that is slow does not count among these, so that the
/// others go on beside it; one that does not end puts its pattern out of use, and nothing else.
struct SearchQueue<Job> {
    /// How many searches run at the same time, slow ones apart.
    static var places: Int { 8 }
    /// How long a search may take before others begin beside it.
    static var patience: Duration { .milliseconds(100) }
    /// How long a search may take before its pattern is out of use until it ends.
    static var longest: Duration { .seconds(5) }
    /// How much text may wait for one pattern, in bytes.
    static var mostText: Int { 64 << 20 }

    /// A search that is to begin.
    struct Start {
        let pattern: String
        let job: Job
    }

    /// What becomes of a new search.
    enum Admission {
        case begins
        case waits
        /// Its pattern is out of use, or too much waits for it.
        case refused
    }

    fileprivate struct Line {
        var jobs = CircularBuffer<(job: Job, size: Int)>()
        var size = 0
    }

    /// Since when the search of each pattern runs.
    private var running: [String: Duration] = [:]
    private var lines: [String: Line] = [:]
    /// The patterns that wait for a place, in order.
    private var order = CircularBuffer<String>()

    /// Whether any search runs.
    var isBusy: Bool { !running.isEmpty }

    /// Takes in a search.
    ///
    /// - Parameter size: the length of its text in bytes.
    mutating func add(_ job: Job, for pattern: String, size: Int, at time: Duration) -> Admission {
        if let start = running[pattern] {
            guard time - start < Self.longest, lines[pattern]?.size ?? 0 <= Self.mostText else { return .refused }
        } else if lines[pattern] == nil {
            if hasPlace(at: time) {
                running[pattern] = time
                return .begins
            }
            order.append(pattern)
        }
        lines[pattern, default: Line()].jobs.append((job, size))
        lines[pattern]?.size += size
        return .waits
    }

    /// Takes in the end of a pattern's search, and returns what begins in its place.
    mutating func end(_ pattern: String, at time: Duration) -> [Start] {
        running[pattern] = nil
        // Others come first, or a pattern that many targets have would keep its place.
        if lines[pattern] != nil { order.append(pattern) }
        return startNext(at: time)
    }

    /// Takes in that time has passed, and returns the searches that begin beside slow ones, and those that will not, since their
    /// pattern is out of use.
    mutating func expire(at time: Duration) -> (started: [Start], refused: [Start]) {
        var refused: [Start] = []
        for (pattern, start) in running where time - start >= Self.longest {
            guard let line = lines.removeValue(forKey: pattern) else { continue }
            refused += line.jobs.map { Start(pattern: pattern, job: $0.job) }
        }
        return (startNext(at: time), refused)
    }

    /// Whether the search of a pattern runs for longer than others wait for it.
    func isSlow(_ pattern: String, at time: Duration) -> Bool {
        running[pattern].map { time - $0 >= Self.patience } ?? false
    }

    /// The patterns that are out of use, since a search does not end.
    func endless(at time: Duration) -> [String] {
        running.filter { time - $0.value >= Self.longest }.map(\.key)
    }

    private func hasPlace(at time: Duration) -> Bool {
        running.count < Self.places || running.values.count { time - $0 < Self.patience } < Self.places
    }

    private mutating func startNext(at time: Duration) -> [Start] {
        var started: [Start] = []
        while let pattern = order.first, hasPlace(at: time) {
            order.removeFirst()
            guard var line = lines.removeValue(forKey: pattern), let first = line.jobs.popFirst() else { continue }
            line.size -= first.size
            if !line.jobs.isEmpty { lines[pattern] = line }
            running[pattern] = time
            started.append(Start(pattern: pattern, job: first.job))
        }
        return started
    }
}

extension SearchQueue.Line: Sendable where Job: Sendable {}

extension SearchQueue: Sendable where Job: Sendable {}
