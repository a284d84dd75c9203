import ReachMonitoring
import Synchronization

/// The assignment of targets to the lanes of an engine. A lane is an event loop with its targets. The assignment
/// depends on the target alone, and needs no table.
///
/// The first lane probes the targets that need no descriptor for a probe, mainly echo requests. It sends and reads in
/// ticks of its own, which no connection handshake delays. The other lanes probe by connections, in blocks of
/// consecutive targets: few targets share the ticks of one loop, and thousands are many blocks.
struct LaneAssignment: Sendable, Hashable {
    /// The maximum number of lanes. Each one has its own name lookups, certificates and share of descriptors; divided
    /// among four, these are still enough for each.
    static let maxLanes = 4
    /// The number of consecutive targets that are assigned to the same lane.
    static let block = 64

    /// The number of lanes.
    let count: Int

    /// - Parameters:
    ///   - cores: the number of event loops that can run in parallel.
    ///   - descriptors: the descriptor limit of this process. If descriptors may run short, all connections are on one
    ///     lane and share one queue: with several queues, one could get all descriptors.
    init(cores: Int, descriptors: DescriptorLimit = .current) {
        count = min(max(cores, 1), descriptors.soft < DescriptorLimit.plenty ? 2 : Self.maxLanes)
    }

    /// The number of the lane of a target.
    func lane(of assignment: ProbeRequest.Assignment) -> Int {
        guard count > 1, assignment.target.question.method.opensDescriptors else { return 0 }
        let block = UInt64(truncatingIfNeeded: assignment.id.rawValue / Self.block)
        // Hashed, since identities may start at a round number for every caller (Knuth, TAOCP 3, 6.4: Fibonacci
        // hashing).
        return 1 + Int(((block &* 0x9E37_79B9_7F4A_7C15) >> 32) % UInt64(count - 1))
    }
}

/// The context of one lane: its number, the assignment of targets, and the connection to the other lanes.
struct LaneContext: Sendable {
    /// The number of this lane, counted from zero.
    let number: Int
    let assignment: LaneAssignment
    /// The stalls of this process that any lane has reported.
    let stalls: StallLog
    /// Forwards an event of this machine's network, or an answering host, to the other lanes.
    let relay: @Sendable (LinkWatch.Event) -> Void

    /// Whether this lane listens for changes of links itself.
    var isFirst: Bool { number == 0 }

    /// Whether a target belongs to this lane.
    func contains(_ target: ProbeRequest.Assignment) -> Bool {
        assignment.lane(of: target) == number
    }
}

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
