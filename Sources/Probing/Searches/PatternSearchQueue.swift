import Monitoring
import NIOCore

/// The queue of pattern searches, as a state machine that decides which start, wait or are rejected.
///
/// At most one search per pattern runs at a time, and a few in total. A slow search does not count, so that the others
/// continue. A search that exceeds the time limit disables its pattern until it ends, and no other pattern.
struct PatternSearchQueue<Job> {
    /// The maximum number of concurrent searches, without slow ones.
    static var maxConcurrent: Int { 8 }
    /// The duration after which a search is slow, and another one may start.
    static var slowThreshold: Duration { .milliseconds(100) }
    /// The duration after which the pattern of a search is disabled until the search ends.
    static var timeLimit: Duration { .seconds(5) }
    /// The maximum number of bytes of queued text per pattern.
    static var maxQueuedBytes: Int { 64 << 20 }

    /// A queued search.
    struct Entry {
        let pattern: String
        let job: Job
    }

    /// The decision on a new search.
    enum Admission {
        case started
        case queued
        /// Its pattern is disabled, or its backlog is full.
        case rejected
    }

    fileprivate struct Backlog {
        var jobs = CircularBuffer<(job: Job, size: Int)>()
        var size = 0
    }

    /// The start of the running search of each pattern.
    private var running: [String: Duration] = [:]
    private var backlogs: [String: Backlog] = [:]
    /// The patterns that wait to start, in order.
    private var waitingPatterns = CircularBuffer<String>()

    /// Whether any search runs.
    var isBusy: Bool { !running.isEmpty }

    /// Adds a search, and returns whether it starts.
    ///
    /// - Parameter size: the length of its text in bytes.
    mutating func add(_ job: Job, for pattern: String, size: Int, at time: Duration) -> Admission {
        if let start = running[pattern] {
            guard time - start < Self.timeLimit, backlogs[pattern]?.size ?? 0 <= Self.maxQueuedBytes else {
                return .rejected
            }
        } else if backlogs[pattern] == nil {
            if canStart(at: time) {
                running[pattern] = time
                return .started
            }
            waitingPatterns.append(pattern)
        }
        backlogs[pattern, default: Backlog()].jobs.append((job, size))
        backlogs[pattern]?.size += size
        return .queued
    }

    /// Records the end of a pattern's search, and returns the searches to start.
    mutating func end(_ pattern: String, at time: Duration) -> [Entry] {
        running[pattern] = nil
        // Other patterns come first, or a pattern of many targets would block them.
        if backlogs[pattern] != nil { waitingPatterns.append(pattern) }
        return startNext(at: time)
    }

    /// Returns the searches to start beside slow ones, and those that are rejected because their pattern is disabled.
    mutating func expire(at time: Duration) -> (started: [Entry], rejected: [Entry]) {
        var rejected: [Entry] = []
        for (pattern, start) in running where time - start >= Self.timeLimit {
            guard let backlog = backlogs.removeValue(forKey: pattern) else { continue }
            rejected += backlog.jobs.map { Entry(pattern: pattern, job: $0.job) }
        }
        return (startNext(at: time), rejected)
    }

    /// Returns whether the running search of a pattern is slow.
    func isSlow(_ pattern: String, at time: Duration) -> Bool {
        running[pattern].map { time - $0 >= Self.slowThreshold } ?? false
    }

    /// Returns the patterns whose search exceeds the time limit.
    func endless(at time: Duration) -> [String] {
        running.filter { time - $0.value >= Self.timeLimit }.map(\.key)
    }

    private func canStart(at time: Duration) -> Bool {
        running.count < Self.maxConcurrent
            || running.values.count { time - $0 < Self.slowThreshold } < Self.maxConcurrent
    }

    private mutating func startNext(at time: Duration) -> [Entry] {
        var started: [Entry] = []
        while let pattern = waitingPatterns.first, canStart(at: time) {
            waitingPatterns.removeFirst()
            guard var backlog = backlogs.removeValue(forKey: pattern), let first = backlog.jobs.popFirst() else {
                continue
            }
            backlog.size -= first.size
            if !backlog.jobs.isEmpty { backlogs[pattern] = backlog }
            running[pattern] = time
            started.append(Entry(pattern: pattern, job: first.job))
        }
        return started
    }
}

extension PatternSearchQueue.Backlog: Sendable where Job: Sendable {}

extension PatternSearchQueue: Sendable where Job: Sendable {}
