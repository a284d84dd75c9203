import Monitoring
import Reporting

/// The loop of `reach wait`: asks targets until as many as are needed are as they should be.
struct Wait {
    /// What is waited for.
    struct Goal: Sendable, Hashable {
        /// How many targets must be as they should be, at the same time; nil for all of them.
        var needed: Int?
        /// Whether they are to stop answering, in place of answering.
        var isNegated: Bool

        /// Whether a target is as it should be. One that was not judged yet is not.
        func isMet(by health: Health) -> Bool {
            isNegated ? health == .down : health.isReachable
        }

        /// Whether enough of them are.
        func isMet(by standings: some Sequence<Standing>) -> Bool {
            guard let needed else { return standings.allSatisfy { isMet(by: $0.health) } }
            return standings.count { isMet(by: $0.health) } >= needed
        }
    }

    /// How the wait ended.
    enum Ending: Sendable, Hashable {
        /// The goal is met.
        case met
        /// Its time ran out first.
        case late
        /// A signal ended it.
        case signal(Int32)
    }

    private var asking: Asking
    private var lines: LiveLines
    private let goal: Goal

    init(_ asking: Asking, lines: LiveLines, goal: Goal) {
        self.asking = asking
        self.lines = lines
        self.goal = goal
    }

    /// Asks every target at once, and then every `interval`, until the goal is met.
    ///
    /// - Parameter limit: how long at most.
    mutating func run(
        _ targets: [Target],
        every interval: Duration,
        within limit: Duration?,
        _ inputs: some AsyncSequence<Asking.Input, Never>
    ) async -> Ending {
        let start = asking.now
        asking.begin(targets.map { $0.awaited(every: interval) })
        var ending: Ending?
        for await input in inputs {
            switch input {
            case .events(let events):
                guard ending == nil, asking.record(events), goal.isMet(by: asking.standings) else { continue }
                ending = .met
                asking.close()
            case .tick(let now):
                guard ending == nil else { continue }
                if let limit, now - start >= limit {
                    ending = .late
                    asking.close()
                } else {
                    lines.show(unmet, at: now - start)
                }
            case .end(let number):
                // Even one that comes when all is done: the command has not begun yet.
                ending = .signal(number)
                asking.close()
            case .closed:
                lines.erase()
                return ending ?? .late
            }
        }
        return ending ?? .late
    }

    /// The targets that are not as they should be.
    private var unmet: [Standing] {
        asking.standings.filter { !goal.isMet(by: $0.health) }
    }

    /// Whom it waited for in vain, and why, as a line.
    func lateness(after limit: Duration) -> String {
        let missing = unmet
        let names = missing.prefix(Self.mostNames).map { standing in
            goal.isNegated && standing.health.isReachable
                ? standing.target.label : "\(standing.target.label) (\(standing.remark ?? "not asked yet"))"
        }
        let more = missing.count > names.count ? " and \(missing.count - names.count) more" : ""
        let isAnswering = missing.allSatisfy(\.health.isReachable)
        let verb = !goal.isNegated ? "no answer" : isAnswering ? "still answering" : "not known to be down"
        return "\(verb) after \(limit.settingsText): \(names.joined(separator: ", "))\(more)".printable
    }

    private static let mostNames = 5
}

extension Target {
    /// The target as a wait judges it: one reply is enough to be up again. How long a probe may take stays, and how many
    /// losses it takes to be down.
    fileprivate func awaited(every interval: Duration) -> Target {
        var target = self
        (target.interval, target.retryInterval, target.downInterval) = (interval, interval, interval)
        target.thresholds.rise = 1
        return target
    }
}
