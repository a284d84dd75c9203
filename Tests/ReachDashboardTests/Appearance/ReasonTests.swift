import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

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
        scene.send(.findings(findings), at: .zero)
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

/// The texts of failures and faults, by the width that they have.
@Suite struct CauseTextTests {
    @Test(arguments: [
        (Reason.httpStatus, "HTTP 503 Service Unavailable", 30, "HTTP 503 Service Unavailable"),
        (.httpStatus, "HTTP 503 Service Unavailable", 8, "HTTP 503"),
        (.httpStatus, "HTTP 503 Service Unavailable", 5, "503"),
        (.certificateUntrusted, "self-signed", 11, "self-signed"),
        (.certificateUntrusted, "self-signed", 10, "bad cert"),
        (.certificateName, "certificate is for other.example", 12, "wrong name"),
        (.refused, "refused", 4, "refused"),
        (.exitStatus, "exit 2", 4, "exit 2"),
    ])
    func `a cause has its longest form that fits`(reason: Reason, detail: String, width: Int, expected: String) {
        #expect(Failure(reason, detail: detail).text(fitting: width) == expected)
    }

    @Test func `a certificate is named where there is room, and its days stay`() {
        var scene = Scene([.make("A", url: "tls://a.example:443")])
        scene.receive(.reply(Reply(roundTrip: .milliseconds(9), detail: "61 days")), from: "A")
        #expect(scene.line("a.example").contains("up  certificate 61 days"))
        #expect(scene.model.roster.states[0].detail(fitting: 18, at: scene.now) == "cert 61 days")
        let warning = "certificate expires in 4 days"
        scene.receive(.reply(Reply(roundTrip: .milliseconds(9), detail: "4 days", concern: warning)), from: "A")
        #expect(scene.model.roster.states[0].concern(fitting: 29) == warning)
        #expect(scene.model.roster.states[0].concern(fitting: 28) == "expires in 4 days")
        #expect(scene.model.roster.states[0].concern(fitting: 9) == "4 days")
        scene.send(.resize(Size(columns: 80, rows: 24)))
        #expect(scene.line("a.example").contains("up 1/3  4 days left"))
    }

    @Test func `a fault has the words of the banner, or the name of the problem`() {
        let fault = Fault(.noAuthorities, detail: "cannot read missing.pem")
        #expect(fault.text(fitting: 23) == "cannot read missing.pem")
        #expect(fault.text(fitting: 22) == "no authorities")
        #expect(fault.text(fitting: 6) == "no CA")
    }
}
