/// Why a path is traced.
public enum PathCause: String, Sendable, Hashable {
    /// The target went down.
    case down
    /// It was never traced.
    case first
    /// The interval has passed.
    case refresh
}

/// One trace of a path in the background: which hop is probed when, and when it is done.
///
/// A first trace or a refresh starts in the middle, or at the known length, and goes one hop at a time: forward to
/// the destination, and back until a hop that is shared. A trace for a target that went down probes all hops at once.
struct PathRun: Sendable {
    /// The state of a hop.
    private enum HopState: Sendable {
        case untouched
        case wanted
        case inFlight
        /// A router answered.
        case passed
        /// The destination answered, or an obstacle was reported.
        case ended
        case silent

        var isPending: Bool { self == .wanted || self == .inFlight }
    }

    /// The number of hops that a trace probes at once if the length is unknown.
    private static let unknownLength = 8

    let cause: PathCause
    let serial: UInt32
    let started: Duration
    /// Whether every hop is probed, also those that could be shared.
    let isComplete: Bool
    /// Whether it decides whether a hop has changed.
    private let isDeciding: Bool
    private let start: Int
    private let maxHops: Int
    private let knownLength: Int?
    /// The hops that never answered.
    private let silent: Set<Int>
    private var states: [HopState] = []
    private var tries: [UInt8] = []
    /// Whether a shared hop was met, so that hops before it are not probed.
    private(set) var isStopped = false
    /// Whether packets loop, so that hops beyond are not probed.
    var isLooping = false
    /// Whether it took over where the paths to others end.
    var hasSharedEnd = false
    /// The number of probes sent.
    private(set) var probes = 0

    init(
        cause: PathCause,
        serial: UInt32,
        started: Duration,
        start: Int,
        maxHops: Int,
        knownLength: Int?,
        isComplete: Bool,
        isDeciding: Bool = false,
        silent: Set<Int> = []
    ) {
        self.cause = cause
        self.serial = serial
        self.started = started
        self.start = min(max(start, 1), maxHops)
        self.maxHops = maxHops
        self.knownLength = knownLength
        self.isComplete = isComplete || cause == .down
        self.isDeciding = isDeciding && cause == .refresh
        self.silent = silent
    }

    private func state(_ hop: Int) -> HopState { states.indices.contains(hop - 1) ? states[hop - 1] : .untouched }

    private mutating func set(_ hop: Int, _ state: HopState) {
        while states.count < hop {
            states.append(.untouched)
            tries.append(0)
        }
        states[hop - 1] = state
    }

    /// Whether this hop still waits for a probe.
    func isWanted(_ hop: Int) -> Bool { state(hop) == .wanted }

    /// The number of the lowest hop that was probed.
    var lowest: Int? { states.firstIndex { $0 != .untouched }.map { $0 + 1 } }

    /// The number of the hop that ended the path.
    var end: Int? { states.firstIndex(of: .ended).map { $0 + 1 } }

    /// The number of the highest hop at which a router answered, before the end.
    var top: Int? { states.prefix(end ?? states.count).lastIndex(of: .passed).map { $0 + 1 } }

    /// The number of the lowest hop that answered, if all hops probed below it have a result; the run can stop there.
    var stopCandidate: Int? {
        guard !isStopped, let lowest, state(lowest) == .passed || state(lowest) == .wanted else { return nil }
        guard let passed = states.firstIndex(of: .passed) else { return nil }
        // Hops below that were not sent yet can still be saved.
        return states[..<passed].allSatisfy { $0 == .untouched || $0 == .wanted } ? passed + 1 : nil
    }

    /// The hops at which a router answered, in order.
    var passed: [Int] { states.indices.filter { states[$0] == .passed }.map { $0 + 1 } }

    /// Whether all hops before this one were probed, and none answered.
    func isFirst(_ hop: Int) -> Bool { states.prefix(hop - 1).allSatisfy { $0 == .silent } && states.count >= hop - 1 }

    /// Ends the way back: the hops below are shared.
    mutating func stop() {
        isStopped = true
        for index in states.indices where states[index] == .wanted && index + 1 < (top ?? end ?? 1) {
            states[index] = .untouched
        }
    }

    /// Marks the hops to probe next as wanted, and returns them. The run is done when it returns none and nothing is
    /// pending.
    mutating func wanted() -> [Int] {
        let hops = cause == .down ? nextAtOnce() : nextInTurn()
        for hop in hops { set(hop, .wanted) }
        return hops
    }

    private func nextInTurn() -> [Int] {
        guard let lowest else { return [start] }
        var next: [Int] = []
        let highest = states.count
        if end == nil, let top, !state(highest).isPending, highest < maxHops, !isLooping,
            highest - top < PathTrace.silentLimit
        {
            next.append(highest + 1)
        }
        if !isStopped, lowest > 1, !state(lowest).isPending { next.append(lowest - 1) }
        return next
    }

    private func nextAtOnce() -> [Int] {
        guard !states.isEmpty else {
            return (1...min(maxHops, knownLength ?? Self.unknownLength)).reversed().filter { !silent.contains($0) }
        }
        guard end == nil, !isLooping, let top, !states[top...].contains(where: \.isPending) else { return [] }
        let limit = min(maxHops, top + PathTrace.silentLimit)
        guard states.count < limit, knownLength.map({ top >= $0 }) ?? true else { return [] }
        return Array(states.count + 1...limit)
    }

    /// Whether nothing is left to do. Hops below one that answered are not waited for if they were not sent yet.
    var isDone: Bool {
        guard !states.isEmpty else { return false }
        let reached = end ?? top ?? 0
        return !states.indices.contains { index in
            switch states[index] {
            case .inFlight: true
            case .wanted: cause != .down || index + 1 >= reached
            case .untouched, .passed, .ended, .silent: false
            }
        }
    }

    mutating func recordSent(_ hop: Int) {
        set(hop, .inFlight)
        tries[hop - 1] += 1
        probes += 1
    }

    /// Records that a probe could not be sent.
    mutating func withdraw() { probes -= 1 }

    /// Records an answer of a router. `isUndecided`: the address changed, and another try tells whether it really
    /// did. Returns whether the hop is wanted again.
    mutating func recordPassed(_ hop: Int, isUndecided: Bool) -> Bool {
        let limit = isDeciding ? HopAddresses.longestSeries : 3
        let isAgain = isUndecided && cause != .down && state(hop) == .inFlight && tries[hop - 1] < limit
        set(hop, isAgain ? .wanted : .passed)
        return isAgain
    }

    mutating func recordEnd(_ hop: Int) { set(hop, .ended) }

    /// The number of probes of a hop.
    func tries(of hop: Int) -> Int { tries.indices.contains(hop - 1) ? Int(tries[hop - 1]) : 0 }

    /// Records a loss. Returns whether the hop is wanted again. `isKnownSilent`: it never answered before; `isReliable`: it
    /// answered nearly always.
    mutating func recordLoss(_ hop: Int, isKnownSilent: Bool, isReliable: Bool = false) -> Bool {
        guard state(hop) == .inFlight else { return false }
        let limit: UInt8
        switch cause {
        case .down:
            let isKnown = knownLength != nil && (isKnownSilent || isReliable)
            limit = hop > (end ?? top ?? 0) ? (isKnown ? 2 : 3) : 1
        case .first: limit = 2
        case .refresh: limit = isKnownSilent ? 1 : 2
        }
        let isAgain = tries[hop - 1] < limit
        set(hop, isAgain ? .wanted : .silent)
        return isAgain
    }

    /// Gives up a probe that was not sent: it waited too long, or is not needed.
    mutating func giveUp(_ hop: Int) {
        guard isWanted(hop) else { return }
        states[hop - 1] = tries[hop - 1] == 0 ? .untouched : .silent
    }
}
