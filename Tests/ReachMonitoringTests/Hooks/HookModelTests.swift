import Foundation
import TestSupport
import Testing

@testable import ReachMonitoring

/// The rules of a target over random events, compared with ``NaiveLedger``.
@Suite struct HookModelTests {
    private static let wall = WallTime(start: .seconds(1_800_000_000))
    private static let addresses = ["192.0.2.5", "192.0.2.6", "192.0.2.7"]

    /// The events of one target. Common causes are those of several.
    private static let events = HookEvent.settable.filter { !$0.isAboutCauses }

    private static func rules(using generator: inout SplitMix) -> [HookRule] {
        (0..<6).map { index in
            var rule = HookRule.make(on: [], "rule \(index)")
            repeat {
                rule.events = Set(Self.events.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
            } while rule.events.isEmpty
            rule.cooldown = .seconds([0, 0, 20, 120].randomElement(using: &generator) ?? 0)
            rule.firesAtStart = Int.random(in: 0..<4, using: &generator) == 0
            rule.skipsAcknowledged = Int.random(in: 0..<4, using: &generator) == 0
            rule.runsWhileFlapping = Int.random(in: 0..<3, using: &generator) == 0
            rule.isOnce = Int.random(in: 0..<8, using: &generator) == 0
            rule.within = [nil, nil, nil, .seconds(4), .seconds(30)].randomElement(using: &generator) ?? nil
            rule.minDown = .seconds([0, 0, 0, 4, 30].randomElement(using: &generator) ?? 0)
            return rule
        }
    }

    /// `Scripts/fuzz` sets a range of its own.
    private static let seeds: Range<Int> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["FUZZ_SEED"].flatMap(Int.init) ?? 0
        return first..<first + (environment["FUZZ_INPUTS"].flatMap(Int.init).map { $0 / 500 } ?? 120)
    }()

    @Test(arguments: seeds) func `rules report what a naive list says, and nothing else`(seed: Int) throws {
        var generator = SplitMix(seed: UInt64(seed))
        var scene = HookScene(Self.rules(using: &generator))
        var count = 0
        for step in 0..<500 {
            try scene.advance(using: &generator)
            // The order within a step does not matter.
            let (actual, expected) = (Set(scene.runs[count...]), Set(scene.ledger.runs.dropFirst(count)))
            count = scene.runs.count
            guard actual == expected, count == scene.ledger.runs.count else {
                Issue.record(
                    """
                    step \(step): unexpected \(actual.subtracting(expected)), missing \(expected.subtracting(actual)), \
                    \(scene.runs.count) runs of \(scene.ledger.runs.count)
                    rules \(scene.rules.enumerated().map { "\($0) \($1)" })
                    \(scene.log.suffix(30).joined(separator: "\n"))
                    """
                )
                return
            }
        }
        #expect(scene.recoveries.allSatisfy { $0.runs == 1 }, "each recovery runs an action once")
    }

    @Test func `the random events reach every kind of wait`() throws {
        var seen: Set<String> = []
        for seed in 0..<20 {
            var generator = SplitMix(seed: UInt64(seed))
            var scene = HookScene(Self.rules(using: &generator))
            for _ in 0..<600 { try scene.advance(using: &generator) }
            seen.formUnion(scene.log.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
        }
        let kinds = [
            "up→down", "down→up", "degraded→down", "up→unknown", "down→unknown", "flaps", "steady", "address",
            "maintenance",
            "acknowledged", "paused", "restart", "reload", "cooling", "expired", "short",
        ]
        #expect(seen.isSuperset(of: kinds), "missing: \(Set(kinds).subtracting(seen))")
    }
}

/// A roster with one target, and the ledger of what its rules must report.
private struct HookScene {
    private(set) var ledger: NaiveLedger
    private(set) var runs: [NaiveLedger.Run] = []
    private(set) var log: [String] = []
    /// The recoveries that the last rule must act on, and its runs for each. The rule runs at every recovery.
    private(set) var recoveries: [(time: Duration, runs: Int)] = []
    private(set) var rules: [HookRule]
    private var roster = Roster()
    private var id = Target.ID(0)
    /// When the present process started, and the time since.
    private var start = Duration.zero
    private var now = Duration.zero
    private var isPaused = false
    private var isInMaintenance = false
    /// The next letters of a phase: an outage, slow replies, faults, or quiet.
    private var phase: [Character] = []
    private var faults = 0
    /// The ends of runs that the ledger must hear of after it has decided, as the roster does.
    private var finished: [(rule: Int, isSuccess: Bool)] = []
    private var address = "192.0.2.5"

    private static let wallStart = Duration.seconds(1_800_000_000)

    init(_ rules: [HookRule]) {
        var action = HookRule.make(on: [.up], "action")
        action.runsWhileFlapping = true
        self.rules = rules + [action]
        ledger = NaiveLedger(self.rules)
        begin()
    }

    private var time: Duration { start + now }

    private mutating func begin() {
        roster = Roster()
        (isPaused, isInMaintenance, faults) = (false, false, 0)
        applySettings()
        id = roster.states[0].id
    }

    private mutating func applySettings() {
        var settings = Settings(targets: [.make(fall: 2, slow: .milliseconds(500), hooks: rules)])
        settings.targets[0].mayFlap = true
        if isInMaintenance {
            let span = Duration.zero..<Self.wallStart * 2
            settings.maintenance = [MaintenanceWindow(name: nil, .once(span), for: .init())]
        }
        take(roster.apply(settings, at: now))
        take(roster.updateMaintenance(at: now, wall: WallTime(start: Self.wallStart + start)))
    }

    /// Changes a rule, except the one that runs at every recovery.
    private mutating func reload(using generator: inout SplitMix) {
        let index = Int.random(in: 0..<rules.count - 1, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: rules[index].cooldown += .seconds(10)
        case 1: rules[index].minDown = rules[index].minDown == .zero ? .seconds(4) : .zero
        default: rules[index].runsWhileFlapping.toggle()
        }
        log.append("\(time.components.seconds) reload rule \(index)")
        ledger.change(index, to: rules[index])
        applySettings()
    }

    /// Lets a second pass, with a random event in some.
    mutating func advance(using generator: inout SplitMix) throws {
        now += .seconds(1)
        switch Int.random(in: 0..<150, using: &generator) {
        case 0: try restart()
        case 1, 2:
            isPaused.toggle()
            log.append("\(time.components.seconds) \(isPaused ? "paused" : "resumed")")
            if isPaused { ledger.pause() }
            faults = 0
            take(isPaused ? roster.pause([id], at: now) : roster.resume([id], at: now))
        case 3, 4:
            isInMaintenance.toggle()
            log.append("\(time.components.seconds) maintenance \(isInMaintenance)")
            if isInMaintenance { ledger.now.healthBeforeMaintenance = ledger.now.health }
            applySettings()
        case 5, 6, 7: take(roster.acknowledge([id], reason: "known", at: now))
        case 8...12:
            let new = ["192.0.2.5", "192.0.2.6", "192.0.2.7"].randomElement(using: &generator) ?? address
            guard new != address, !isPaused else { break }
            let old = address
            address = new
            take(roster.record([.addressChanged(id, from: old, to: new, at: now)]))
        case 21, 22: reload(using: &generator)
        case 13...20: now += .seconds(Int.random(in: 1...60, using: &generator))
        default: break
        }
        finishRuns()
        if phase.isEmpty { phase = Self.nextPhase(using: &generator) }
        let letter = phase.removeFirst()
        if letter != "." { probe(letter) }
        // The ledger evaluates after the roster, which reports what is due at the same time.
        let consequences = roster.expire(at: now)
        ledger.evaluate(at: time)
        take(consequences)
        finishRuns()
    }

    private mutating func finishRuns() {
        for run in finished { ledger.finish(run.rule, isSuccess: run.isSuccess) }
        finished = []
    }

    private static func nextPhase(using generator: inout SplitMix) -> [Character] {
        let short = Int.random(in: 1...6, using: &generator)
        return switch Int.random(in: 0..<9, using: &generator) {
        case 0...2: Array(repeating: "x", count: short) + Array(repeating: "r", count: short)
        case 3: Array(repeating: "s", count: short)
        case 4: Array(repeating: "f", count: short)
        case 5: Array("sxxsxxrsr")
        case 6: Array(repeating: "x", count: 40)
        case 7: Array(repeating: ".", count: short)
        default: Array(repeating: "r", count: short * 8)
        }
    }

    private mutating func probe(_ letter: Character) {
        let observation = Observation(
            target: id,
            sequence: 1,
            sent: now,
            time: now,
            outcome: Outcome.picture(String(letter))[0],
            address: address
        )
        let consequences = roster.record([.observation(observation)])
        guard !isPaused else { return }
        ledger.now.isKnown = true
        if letter != "f" { ledger.hearProbe(isReply: letter != "x", at: time) }
        faults = letter == "f" ? faults + 1 : 0
        // No event tells that an unknown target has faults again.
        if faults == 2, ledger.now.health == .unknown {
            let again = Transition(from: .unknown, to: .unknown, time: now, lasted: .zero, cause: .replies(0))
            ledger.hear(again, at: time)
        }
        take(consequences)
        ledger.evaluate(at: time)
        finishRuns()
    }

    /// How a run ends: two of three succeed.
    private static func isSuccess(_ run: NaiveLedger.Run) -> Bool {
        (Int(run.time.components.seconds) + run.rule) % 3 > 0
    }

    private mutating func restart() throws {
        log.append("\(time.components.seconds) restart")
        let wall = WallTime(start: Self.wallStart + time)
        let finished = runs.map { run in
            StoredPast.FinishedHook(
                rules[run.rule].action,
                of: Target.ID(0),
                on: run.event,
                at: Self.wallStart + run.time,
                isSuccess: Self.isSuccess(run)
            )
        }
        ledger.restart(at: time, isSuccess: Self.isSuccess)
        (start, now) = (time, .zero)
        begin()
        try #require(id == Target.ID(0))
        roster.restore(finished, wall: wall, at: .zero)
    }

    /// Records what the roster does, and tells the ledger what has happened, in the same order.
    private mutating func take(_ consequences: Consequences) {
        // A reply ends an acknowledgement after the rules of its change have been decided.
        var isUnacknowledged = false
        var hasRecovered = false
        ledger.now.address = roster.states[0].address
        for event in consequences.events {
            switch event.kind {
            case .transition(let change):
                log.append("\(time.components.seconds) \(change.from)→\(change.to)")
                ledger.now.health = change.to
                if roster.states[0].isFlapping, !ledger.now.isFlapping { ledger.now.isFlapping = true }
                if consequences.isEndOfFlapping { ledger.now.isFlapping = false }
                hasRecovered = change.from == .down && change.to.isReachable && !isInMaintenance
                if hasRecovered { recoveries.append((time, 0)) }
                ledger.hear(change, at: time)
            case .flapping(let isFlapping, _):
                log.append("\(time.components.seconds) \(isFlapping ? "flaps" : "steady")")
                guard !isPaused else { break }
                ledger.now.isFlapping = isFlapping
                ledger.hearFlapping(at: time)
            case .addressChanged(let old, _):
                log.append("\(time.components.seconds) address")
                ledger.hearAddress(old, at: time)
            case .acknowledged:
                log.append("\(time.components.seconds) acknowledged")
                ledger.now.isAcknowledged = true
            case .acknowledgementEnded: isUnacknowledged = true
            case .maintenanceEnded: ledger.endMaintenance(at: time)
            case .hookSkipped(_, .coolingDown): log.append("\(time.components.seconds) cooling")
            case .hookSkipped(let rule, .expired): log.append("\(time.components.seconds) expired \(rule.action)")
            case .hookSkipped(let rule, .tooShort): log.append("\(time.components.seconds) short \(rule.action)")
            default: break
            }
        }
        if isUnacknowledged { ledger.now.isAcknowledged = false }
        for run in consequences.runs {
            guard let index = rules.firstIndex(of: run.rule) else { continue }
            let new = NaiveLedger.Run(rule: index, event: run.context.event, time: time)
            runs.append(new)
            log.append("\(new)")
            if index == rules.count - 1, hasRecovered { recoveries[recoveries.count - 1].runs += 1 }
            let isSuccess = Self.isSuccess(new)
            roster.record(.finished(run, HookResult(status: .exited(isSuccess ? 0 : 1), duration: .zero)))
            finished.append((index, isSuccess))
        }
    }
}

extension Consequences {
    fileprivate var isEndOfFlapping: Bool {
        events.contains { if case .flapping(false, _) = $0.kind { true } else { false } }
    }
}
