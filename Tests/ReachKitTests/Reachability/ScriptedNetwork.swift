import Monitoring
import Synchronization
import TestSupport

@testable import ReachKit

/// A network that does what a test says, by a clock that a test moves.
final class ScriptedNetwork: Sendable {
    let clock = ManualClock()
    private let askers: Box
    let prober: Prober
    private let link = Mutex(Reachability.Link.wired)
    private let count = Mutex(0)

    private final class Box: Sendable {
        let made = Mutex<[ScriptedAsker]>([])
    }

    init() {
        let askers = Box()
        self.askers = askers
        prober = Prober(clock: clock) { _ in
            let asker = ScriptedAsker()
            askers.made.withLock { $0.append(asker) }
            return asker
        }
    }

    /// A subject of this network.
    func reachability(of subject: Reachability.Subject = "nas.example") -> Reachability {
        Reachability(of: subject, by: prober) { [self] _ in link.withLock { $0 } }
    }

    /// Has every way lead by another link from now on, and says that the network has changed.
    func lead(by new: Reachability.Link) {
        link.withLock { $0 = new }
        asker?.find([.link(isUp: true, at: prober.time)])
    }

    /// Whoever asks at present, or asked last.
    var asker: ScriptedAsker? { askers.made.withLock { $0.last } }
    /// All who have asked, one after the other.
    var made: [ScriptedAsker] { askers.made.withLock { $0 } }
    /// How often the asking has begun.
    var askings: Int { askers.made.withLock { $0.count } }

    /// Who is asked at present.
    var asked: [ProbeRequest.Assignment] { asker?.watched ?? [] }

    /// Lets everybody who is asked, or one of them, answer like that, in one batch.
    func find(_ outcomes: Outcome..., from url: String? = nil) {
        let findings = outcomes.flatMap { outcome in
            asked.filter { url == nil || $0.target.question.url == url }.map { assignment in
                let sequence = count.withLock { count in
                    count += 1
                    return count
                }
                return Finding.observation(
                    Observation(
                        target: assignment.id,
                        sequence: sequence,
                        time: prober.time,
                        outcome: outcome,
                        address: "192.0.2.5"
                    )
                )
            }
        }
        asker?.find(findings)
    }

    /// Lets everybody answer.
    func answer() {
        find(.reply(roundTrip: .milliseconds(1)))
    }

    /// Lets everybody fall silent, for as long as it takes to believe it.
    func fallSilent() {
        find(.timeout, .timeout, .timeout)
    }
}

extension ScriptedAsker {
    /// Who is to be asked, after all requests so far.
    var watched: [ProbeRequest.Assignment] {
        asked.reduce(into: []) { watched, request in
            switch request {
            case .watch(let assignments):
                watched.removeAll { known in assignments.contains { $0.id == known.id } }
                watched += assignments
            case .forget(let ids):
                watched.removeAll { ids.contains($0.id) }
            case .now, .pace:
                break
            }
        }
    }
}
