import Monitoring

@testable import ReachKit

extension ScriptedNetwork {
    /// Who asks as the n-th, counted from zero; waits until they do.
    func asker(_ index: Int) async -> ScriptedAsker {
        while made.count <= index { await Task.yield() }
        return made[index]
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

    /// The identity of the first that it is asked to watch; waits for it.
    var firstID: Target.ID? {
        get async { await firstAssignment?.id }
    }

    /// The first that it is asked to watch; waits for it.
    var firstTarget: Target? {
        get async { await firstAssignment?.target }
    }
}
