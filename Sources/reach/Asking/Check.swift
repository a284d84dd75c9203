import Monitoring
import ReachKit
import Reporting

/// The loop of `reach check`: asks each target so often, and judges it by that alone.
struct Check {
    private var asking: Asking
    private var lines: LiveLines
    private var quota = Quota(0, of: [])
    /// How long to wait before a target is asked again, by name.
    private var pauses: [String: Duration] = [:]
    /// How the targets stood when they had been asked often enough.
    private var results: [Target.ID: Standing] = [:]

    init(_ asking: Asking, lines: LiveLines) {
        self.asking = asking
        self.lines = lines
    }

    /// Asks every target `count` times, one probe at a time, `retry_interval` apart.
    ///
    /// - Returns: The signal that ended it early; nil if none did.
    mutating func run(_ targets: [Target], count: Int, _ inputs: some AsyncSequence<Asking.Input, Never>) async
        -> Int32?
    {
        let start = asking.now
        asking.begin(targets.map { $0.checked(count) })
        quota = Quota(count, of: asking.standings.map(\.id))
        pauses = Dictionary(targets.map { ($0.name, $0.retryInterval) }) { first, _ in first }
        let hasRows = targets.contains { $0.addresses == .each }
        if quota.isMet { asking.close() }

        var signal: Int32?
        for await input in inputs {
            switch input {
            case .events(let events):
                _ = asking.record(events)
                // A name that is resolved is a row for each address.
                if hasRows { quota.update(to: asking.standings.map(\.id)) }
                let met = quota.record(events.compactMap(\.finding)) { id in
                    asking.standing(of: id).flatMap { pauses[$0.target.name] } ?? .zero
                }
                if !met.isEmpty { leave(met) }
                if quota.isMet { asking.close() }
            case .tick(let now):
                let due = quota.due(at: now)
                if !due.isEmpty { asking.probe(due) }
                lines.show(asking.standings.filter { quota.isOpen($0.id) }, at: now - start)
            case .end(let number):
                signal = signal ?? number
                asking.close()
            case .closed:
                lines.erase()
                return signal
            }
        }
        return signal
    }

    /// What has become of the targets.
    var standings: [Standing] { asking.standings.map { results[$0.id] ?? $0 } }

    private mutating func leave(_ ids: [Target.ID]) {
        for id in ids { results[id] = asking.standing(of: id) }
        asking.leave(ids)
    }
}

extension Monitor.Event {
    /// The record of a probe as its prober tells it; nil for what is none.
    fileprivate var finding: Finding? {
        if case .observation(let observation) = self { .observation(observation) } else { nil }
    }
}

extension Target {
    /// The longest interval there is room for: from one probe to the next, it is the check that decides.
    private static let never = Duration.seconds(365 * 86_400)

    /// The target as a check judges it: one reply of all is enough to be up, it is down when all are lost, and degraded when
    /// all are slow.
    fileprivate func checked(_ count: Int) -> Target {
        var target = self
        (target.interval, target.retryInterval, target.downInterval) = (Self.never, Self.never, Self.never)
        (target.thresholds.rise, target.thresholds.fall, target.thresholds.slowStreak) = (1, count, count)
        return target
    }
}
