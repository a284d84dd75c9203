@testable import ReachMonitoring

/// What each rule of a target must report, by plain lists of everything that has happened. It knows no cooldown table, no
/// deferral and no tracker.
struct NaiveLedger {
    /// A run that must follow.
    struct Run: Hashable, CustomStringConvertible {
        let rule: Int
        let event: HookEvent
        let time: Duration
        var description: String { "\(time.components.seconds)s rule \(rule) \(event)" }
    }

    /// The conditions of the target now.
    struct Conditions {
        var health = Health.unknown
        var address: String?
        var isFlapping = false
        var isAcknowledged = false
        var healthBeforeMaintenance: Health?
        /// Whether the target was probed since it was last paused, and is not paused.
        var isKnown = true
    }

    private(set) var rules: [HookRule]
    var now = Conditions()
    /// All runs so far, those before restarts too.
    private(set) var runs: [Run] = []
    /// The transitions that each rule has heard and not reported, and whether each was in maintenance.
    private var heard: [[(change: Transition, before: Health, isPlanned: Bool)]]
    private var addresses: [[String]]
    private var flaps: [[Bool]]
    private var lastBeforeRestart: [HookEvent?]
    /// The runs that began no cooldown of the present rules: those before a rule was changed.
    private var firstRun: [Int]
    /// The rules with `once` that have succeeded.
    private var isDone: [Bool]
    private var transitions: [Transition] = []
    /// When the present process started.
    private let start: Duration
    /// The first lost probe since the last reply.
    private var firstLoss: Duration?
    /// The last outage: its first lost probe, the time from which the target counts as away, and its end.
    private var outage: (start: Duration, away: Duration, end: Duration?)?

    init(_ rules: [HookRule], at start: Duration = .zero) {
        self.rules = rules
        self.start = start
        firstRun = rules.map { _ in 0 }
        isDone = rules.map { _ in false }
        heard = rules.map { _ in [] }
        addresses = rules.map { _ in [] }
        flaps = rules.map { _ in [] }
        lastBeforeRestart = rules.map { _ in nil }
    }

    // MARK: What happens

    mutating func hearProbe(isReply: Bool, at time: Duration) {
        firstLoss = isReply ? nil : firstLoss ?? time
    }

    /// Records the end of a run. With `once`, the first success is the last run.
    mutating func finish(_ index: Int, isSuccess: Bool) {
        guard rules[index].isOnce, isSuccess else { return }
        isDone[index] = true
        forget(index)
    }

    /// Replaces a rule by another one with the same action, which has reported nothing yet.
    mutating func change(_ index: Int, to rule: HookRule) {
        rules[index] = rule
        isDone[index] = false
        lastBeforeRestart[index] = nil
        firstRun[index] = runs.count
        forget(index)
    }

    private mutating func forget(_ index: Int) {
        (heard[index], addresses[index], flaps[index]) = ([], [], [])
    }

    mutating func hear(_ change: Transition, at time: Duration) {
        // The events of a change from unknown are those of the change from the health before the faults.
        let known = transitions.last { $0.to == .unknown && $0.from != .unknown }?.from
        transitions.append(change)
        let isFirst = change.from == .unknown && known == nil
        if change.to == .down, isFirst || (change.from == .unknown ? known : change.from) != .down {
            // A target that was down at the start has been away since then.
            let firstLoss = firstLoss ?? time
            outage = (firstLoss, isFirst ? start : firstLoss, nil)
        }
        if change.to.isReachable, outage?.end == nil { outage?.end = time }
        for index in rules.indices {
            guard !isDone[index], let event = event(of: index, from: change.from, to: change.to) else { continue }
            guard !isFirst || rules[index].firesAtStart else { continue }
            let reported = lastBeforeRestart[index]?.reportedHealth
            if isFirst, reported == change.to, isCooling(index, event, at: time) { continue }
            // After faults, the health before them counts, unless it has only returned.
            let old = change.from == .unknown ? known ?? .unknown : change.from
            let before = old == change.to ? change.from : old
            heard[index].append((change, before, now.healthBeforeMaintenance != nil))
            evaluateHealth(index, at: time)
        }
    }

    mutating func hearAddress(_ old: String, at time: Duration) {
        for index in rules.indices where rules[index].events.contains(.address) && !isDone[index] {
            addresses[index].append(old)
            evaluateAddress(index, at: time)
        }
    }

    mutating func hearFlapping(at time: Duration) {
        for index in rules.indices where rules[index].events.contains(.flapping) && !isDone[index] {
            flaps[index].append(now.isFlapping)
            evaluateFlapping(index, at: time)
        }
        if !now.isFlapping { evaluate(at: time) }
    }

    mutating func pause() {
        for index in rules.indices where !isHeld(index, isHealth: true) { forget(index) }
        now.isKnown = false
        now.isFlapping = false
        // Losses in a row begin anew. An outage goes on.
        firstLoss = nil
    }

    mutating func endMaintenance(at time: Duration) {
        for index in rules.indices where heard[index].first?.isPlanned == true {
            let goesOn = now.health == .down && heard[index].contains { isNewOutage($0.change) }
            if now.health == now.healthBeforeMaintenance, !goesOn {
                heard[index] = []
            } else {
                heard[index][0].isPlanned = false
            }
        }
        now.healthBeforeMaintenance = nil
        evaluate(at: time)
    }

    /// A new process knows only the runs of each rule and event whose cooldown goes on, and the successes of rules that run
    /// once.
    mutating func restart(at time: Duration, isSuccess: (Run) -> Bool) {
        let runs = runs
        self = NaiveLedger(rules, at: time)
        self.runs = runs
        for index in rules.indices {
            let own = runs.filter { $0.rule == index && rules[index].events.contains($0.event) }
            isDone[index] = rules[index].isOnce && own.contains(where: isSuccess)
            let known = own.filter { time - $0.time < rules[index].cooldown }
            lastBeforeRestart[index] = known.last { HookEvent.ofHealth.contains($0.event) }?.event
        }
    }

    // MARK: What must follow

    /// Runs the rules whose wait is over.
    mutating func evaluate(at time: Duration) {
        guard now.isKnown else { return }
        for index in rules.indices {
            evaluateAddress(index, at: time, isDeferred: true)
            evaluateFlapping(index, at: time, isDeferred: true)
            evaluateHealth(index, at: time, isDeferred: true)
        }
    }

    private mutating func evaluateAddress(_ index: Int, at time: Duration, isDeferred: Bool = false) {
        guard let before = addresses[index].first, !isHeld(index, isHealth: false) else { return }
        if before == now.address || run(index, .address, at: time, isDeferred) { addresses[index] = [] }
    }

    private mutating func evaluateFlapping(_ index: Int, at time: Duration, isDeferred: Bool = false) {
        guard let first = flaps[index].first, !isHeld(index, isHealth: false) else { return }
        if first != now.isFlapping || run(index, .flapping, at: time, isDeferred) { flaps[index] = [] }
    }

    private mutating func evaluateHealth(_ index: Int, at time: Duration, isDeferred: Bool = false) {
        guard !heard[index].isEmpty, !isHeld(index, isHealth: true) else { return }
        let event = news(for: index)
        if isDeferred, let event, isCooling(index, event, at: time) { return }
        if let event, !isRefused(index), !run(index, event, at: time, isDeferred) { return }
        (heard[index], lastBeforeRestart[index]) = ([], nil)
    }

    /// The event that tells what has changed since the last report.
    private func news(for index: Int) -> HookEvent? {
        guard let first = heard[index].first else { return nil }
        let wasDownAtRestart = lastBeforeRestart[index]?.reportedHealth == .down
        let before = wasDownAtRestart ? .down : first.before
        if before != now.health || now.health == .unknown { return event(of: index, from: before, to: now.health) }
        // The same health again: news only if another outage began.
        guard now.health == .down, heard[index].contains(where: { isNewOutage($0.change) }) else { return nil }
        return [HookEvent.down, .change].first { rules[index].events.contains($0) }
    }

    /// Whether a rule does not act on a recovery because of the length of the outage.
    private func isRefused(_ index: Int) -> Bool {
        guard let first = heard[index].first, now.health.isReachable else { return false }
        // A change of a target that is reachable is no recovery, whatever the rule reported before the restart.
        if heard[index].count == 1, first.change.from.isReachable { return false }
        let wasDownAtRestart = lastBeforeRestart[index]?.reportedHealth == .down
        let before = wasDownAtRestart ? .down : first.before
        // Where only faults are over, it was reachable before them.
        guard !before.isReachable, before == .down || knownBefore(first.change)?.isReachable != true else {
            return false
        }
        guard let outage, let end = outage.end else {
            // It was unknown since the start; a target that was up since then has not recovered.
            return !first.change.from.isReachable && rules[index].within.map { first.change.time > $0 } ?? false
        }
        return rules[index].within.map { end - outage.away > $0 } ?? false || end - outage.start < rules[index].minDown
    }

    private func isNewOutage(_ change: Transition) -> Bool {
        change.to == .down && (change.from.isReachable || knownBefore(change)?.isReachable == true)
    }

    private func knownBefore(_ change: Transition) -> Health? {
        guard change.from == .unknown, let position = transitions.lastIndex(of: change) else { return nil }
        return transitions[..<position].last { $0.to == .unknown && $0.from != .unknown }?.from
    }

    /// Runs a rule, unless it is cooling down.
    ///
    /// - Parameter isDeferred: whether the report waited; then an acknowledgement counts only when the cooldown is over.
    /// - Returns: whether it ran, or never will for this.
    private mutating func run(_ index: Int, _ event: HookEvent, at time: Duration, _ isDeferred: Bool) -> Bool {
        let isCooling = isCooling(index, event, at: time)
        if isDeferred, isCooling { return false }
        if now.isAcknowledged, rules[index].skipsAcknowledged { return true }
        guard !isCooling else { return false }
        runs.append(Run(rule: index, event: event, time: time))
        return true
    }

    private func isHeld(_ index: Int, isHealth: Bool) -> Bool {
        now.healthBeforeMaintenance != nil || isHealth && now.isFlapping && !rules[index].runsWhileFlapping
    }

    private func isCooling(_ index: Int, _ event: HookEvent, at time: Duration) -> Bool {
        runs[firstRun[index]...].contains {
            $0.rule == index && $0.event == event && time - $0.time < rules[index].cooldown
        }
    }

    private func event(of index: Int, from: Health, to: Health) -> HookEvent? {
        let known = transitions.last { $0.to == .unknown && $0.from != .unknown }?.from
        var old = from
        if from == .unknown, to != .unknown, let known {
            guard known != to else { return rules[index].events.contains(.change) ? .change : nil }
            old = known
        }
        return HookEvent.events(from: old, to: to).first(where: rules[index].events.contains)
    }
}
