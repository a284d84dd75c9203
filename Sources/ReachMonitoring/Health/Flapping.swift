/// Detects whether the health of a target changes too often, by the formula of Nagios ("Detection and Handling of State
/// Flapping", `base/flapping.c`). It covers the last 21 verdicts or ten minutes, whichever is longer.
///
/// There are twenty steps between 21 verdicts. A step takes at least thirty seconds: with faster verdicts, a step has
/// several of them, and possibly several changes. Newer changes weigh more. A target begins to flap at 30 % of the
/// weight of twenty changes, and stops at 20 %, or when it is steady. By the formula alone, three outages within half a
/// minute would count for ten minutes.
///
/// A target is steady when its health has not changed for twice the usual distance of its recent changes, and for 21
/// verdicts; in any case after ten minutes. Twice the distance is the median time that two successive changes took, such
/// as an outage and the time until the next one.
struct Flapping: Sendable, Hashable {
    /// The number of steps that the formula covers.
    static let steps = 20
    /// The shortest duration of a step.
    static let shortestStep = Duration.seconds(30)
    /// The number of verdicts without a change, at least, of a steady target.
    static let steadyVerdicts = 21
    /// The time without a change after which every target is steady.
    static let maxUnsteadyTime = Duration.seconds(600)

    /// The weight of 100 %: twenty changes of weight one, in units of a change's weight. See ``record(_:at:)``.
    private static let fullWeight = 76 * steps

    private struct Change: Sendable, Hashable {
        /// In nanoseconds.
        let time: Int64
        /// The number of the verdict, counted like ``verdicts``.
        let verdict: Int
    }

    private(set) var isFlapping = false
    /// The changes of health with a weight, at most twenty, the newest last.
    private var changes: [Change] = []
    /// The number of verdicts.
    private var verdicts = 0
    /// The sum of the weights at the last verdict.
    private var weight = 0
    /// The health before a degraded target was degraded.
    private var healthBeforeDegraded: Health?

    /// A target that flaps by the history.
    static let stored = {
        var flapping = Flapping()
        flapping.isFlapping = true
        return flapping
    }()

    /// Whether there is no state to keep.
    var isEmpty: Bool { changes.isEmpty && !isFlapping }

    /// The weighted share of possible changes that took place, 0…1. The weights range from 0.75 for the oldest change
    /// to 1.25 for the newest.
    var share: Double {
        Double(weight) / Double(Self.fullWeight)
    }

    /// Records the verdict on a finished probe.
    ///
    /// - Parameter transition: the change of health; nil if there was none.
    /// - Returns: whether the target flaps now; nil if that did not change.
    mutating func record(_ transition: Transition?, at time: Duration) -> Bool? {
        verdicts += 1
        let isChange = transition.map { counts($0) } ?? false
        if isChange { changes.append(Change(time: time.nanoseconds, verdict: verdicts)) }
        // Of several changes in one step, each counts one step older than the next.
        let ages = changes.reversed().enumerated().map { max($0, age(of: $1, at: time)) }.prefix { $0 < Self.steps }
        changes.removeFirst(changes.count - ages.count)
        // Nagios's weight 1.25 − age · 0.5 / 19 is (95 − 2 · age) / 76. Integers make the limits exact.
        weight = ages.reduce(0) { $0 + 95 - 2 * $1 }
        let before = isFlapping
        // 30 % and 20 % of the fullWeight.
        isFlapping =
            before
            ? 10 * weight > 2 * Self.fullWeight && !isSteady(at: time)
            : isChange && 10 * weight >= 3 * Self.fullWeight
        return isFlapping == before ? nil : isFlapping
    }

    /// Whether a transition counts as a change. A step through degraded on the way into an outage, or out of it, does not
    /// count on its own.
    private mutating func counts(_ transition: Transition) -> Bool {
        guard transition.from != .unknown, transition.to != .unknown else { return false }
        defer { healthBeforeDegraded = transition.to == .degraded ? transition.from : nil }
        return transition.from != .degraded || healthBeforeDegraded.map { $0 == transition.to } ?? true
    }

    /// Whether the health has not changed for so long that the next change would not belong to the series.
    private func isSteady(at time: Duration) -> Bool {
        guard let last = changes.last else { return true }
        let quiet = time - .nanoseconds(last.time)
        let cycles = zip(changes, changes.dropFirst(2)).map { $1.time - $0.time }.sorted()
        let usual = cycles.isEmpty ? 0 : cycles[cycles.count / 2]
        return quiet >= Self.maxUnsteadyTime
            || quiet >= .nanoseconds(usual) && verdicts - last.verdict >= Self.steadyVerdicts
    }

    /// The age of a change in steps: the verdicts since, limited to the steps that fit into the time since.
    private func age(of change: Change, at time: Duration) -> Int {
        min(verdicts - change.verdict, Int((time.nanoseconds - change.time) / Self.shortestStep.nanoseconds))
    }
}

extension Roster {
    /// Counts the verdict on a finished probe toward flapping, and applies its transition.
    ///
    /// While a target flaps, its rules wait, except those that run while it flaps. When it is steady, each of them
    /// reports what has changed since its last report. If the settings disable flapping detection, none waits.
    mutating func recordVerdict(
        _ transition: Transition?,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let change =
            states[position].target.mayFlap ? states[position].recordVerdict(transition, at: time) : nil
        if let transition { apply(transition, of: position, into: &consequences) }
        if let change { reportFlapping(change, at: time, of: position, into: &consequences) }
        endAcknowledgementIfUp(position, at: time, into: &consequences)
    }

    /// Ends the flapping of targets whose settings disable its detection, so that their hooks no longer wait.
    mutating func endFlapping(at now: Duration, into consequences: inout Consequences) {
        for position in states.indices where !states[position].target.mayFlap {
            let wasFlapping = states[position].isFlapping
            states[position].flapping = nil
            guard wasFlapping else { continue }
            reportFlapping(false, at: now, of: position, into: &consequences)
            endAcknowledgementIfUp(position, at: now, into: &consequences)
        }
    }

    private mutating func reportFlapping(
        _ isFlapping: Bool,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        let share = states[position].flapping?.share ?? 0
        remember(position, at: time)
        consequences.report(.flapping(isFlapping, share: share), of: [states[position].id], at: time)
        fireFlappingHooks(of: position, share: share, at: time, into: &consequences)
        if !isFlapping { reportDeferred(position, at: time, into: &consequences) }
    }
}
