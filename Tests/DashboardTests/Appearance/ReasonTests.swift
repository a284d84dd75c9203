import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

@Suite struct ReasonTests {
    /// The texts of all reasons in the health column, on a screen of this width.
    private func texts(columns: Int, _ detail: (Reason) -> String?) throws -> [String] {
        var scene = Scene(Reason.allCases.map { .make($0.rawValue, fall: 1) }, columns: columns)
        let findings = scene.model.roster.states.enumerated().map { index, state in
            let failure = Failure(Reason.allCases[index], detail: detail(Reason.allCases[index]))
            return Finding.observation(
                Observation(target: state.id, sequence: 1, time: .zero, outcome: .failure(failure))
            )
        }
        scene.send(.findings(findings, at: .zero))
        return scene.screen.split(separator: "\n").compactMap {
            $0.firstMatch(of: /\ down  (.*?)   +–/).map { String($0.1) }
        }
    }

    @Test(arguments: [60, 80, 100, 120])
    func `every reason has its own text for a narrow column, never truncated`(columns: Int) throws {
        let texts = try texts(columns: columns) { _ in "something that is far too long for any such column at all" }
        #expect(texts.count == Reason.allCases.count)
        #expect(Set(texts).count == texts.count)
        #expect(!texts.contains { $0.contains("…") }, "\(texts)")
    }
}
