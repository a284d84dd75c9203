import Monitoring
import Synchronization

@testable import ReachKit

/// A prober whose network is a script, and what it asks by.
final class ScriptedNetwork: Sendable {
    let prober: Prober
    private let made: Made

    private final class Made: Sendable {
        let askers = Mutex<[ScriptedAsker]>([])
    }

    init() {
        let made = Made()
        self.made = made
        prober = Prober(clock: ContinuousClock()) { _ in
            let asker = ScriptedAsker()
            made.askers.withLock { $0.append(asker) }
            return asker
        }
    }

    /// What has asked so far, one after the other.
    var askers: [ScriptedAsker] { made.askers.withLock { $0 } }

    /// One of them; waits until it is there.
    func asker(_ index: Int) async -> ScriptedAsker {
        while askers.count <= index { await Task.yield() }
        return askers[index]
    }
}

extension ScriptedAsker {
    /// The first that it is asked to watch; waits for it.
    var firstAssignment: ProbeRequest.Assignment? {
        get async {
            for await request in requests {
                if case .watch(let assignments) = request { return assignments.first }
            }
            return nil
        }
    }

    var firstID: Target.ID? {
        get async { await firstAssignment?.id }
    }

    var firstTarget: Target? {
        get async { await firstAssignment?.target }
    }
}
