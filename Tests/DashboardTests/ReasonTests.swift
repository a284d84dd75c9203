import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

@Suite struct ReasonTests {
    /// What the rows of the reasons say in their order, on a screen of this width, after the health.
    private func words(columns: Int, _ detail: (Reason) -> String?) throws -> [String] {
        var scene = Scene(Reason.allCases.map { .make($0.rawValue, fall: 1) }, columns: columns)
        let findings = scene.model.roster.standings.enumerated().map { index, standing in
            let failure = Failure(Reason.allCases[index], detail: detail(Reason.allCases[index]))
            return Finding.observation(
                Observation(target: standing.id, sequence: 1, time: .zero, outcome: .failure(failure))
            )
        }
        scene.send(.findings(findings, at: .zero))
        return scene.screen.split(separator: "\n").compactMap {
            $0.firstMatch(of: /\ down  (.*?)   +–/).map { String($0.1) }
        }
    }

    @Test(arguments: [60, 80, 100, 120])
    func `every reason has words of its own for a narrow column, and none is cut`(columns: Int) throws {
        let words = try words(columns: columns) { _ in "something that is far too long for any such column at all" }
        #expect(words.count == Reason.allCases.count)
        #expect(Set(words).count == words.count)
        #expect(!words.contains { $0.contains("…") }, "\(words)")
    }
}
