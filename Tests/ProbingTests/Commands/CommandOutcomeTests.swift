import Monitoring
import Testing

@testable import Probing

struct CommandOutcomeTests {
    private func outcome(
        _ status: HookResult.Status,
        printing output: String = "",
        of command: HookCommand = .program("probe", arguments: [])
    ) -> Outcome {
        Outcome(of: HookResult(status: status, duration: .milliseconds(7), output: output), from: .exec(command))
    }

    private func reply(detail: String? = nil, concern: String? = nil) -> Outcome {
        .reply(Reply(roundTrip: .milliseconds(7), detail: detail, concern: concern))
    }

    private func failure(_ detail: String) -> Outcome {
        .failure(Failure(.exitStatus, detail: detail))
    }

    @Test func `the exit status means up, down or degraded, and the first line is the detail`() {
        #expect(outcome(.exited(0)) == reply())
        #expect(outcome(.exited(0), printing: "3 workers\nmore\n") == reply(detail: "3 workers"))
        #expect(outcome(.exited(1)) == failure("exit status 1"))
        #expect(outcome(.exited(1), printing: "no workers") == failure("no workers"))
        #expect(outcome(.exited(2)) == reply(concern: "exit status 2"))
        #expect(outcome(.exited(2), printing: "1 worker") == reply(detail: "1 worker", concern: "1 worker"))
        #expect(outcome(.exited(3)) == failure("exit status 3"))
        #expect(outcome(.exited(3), printing: "oh") == failure("exit status 3: oh"))
        #expect(outcome(.signalled(11)) == failure("killed by signal 11"))
    }

    @Test func `a command that cannot be run is a fault`() {
        let fault = Outcome.fault(Fault(.internal, detail: "probe: not found in PATH"))
        #expect(outcome(.notStarted("probe: not found in PATH")) == fault)
        let line = "sh: 1: prob: not found"
        #expect(
            outcome(.exited(127), printing: line, of: .shell("prob")) == .fault(Fault(.internal, detail: line))
        )
        #expect(outcome(.exited(127)) == failure("exit status 127"))
    }

    @Test func `the first line is shortened, without control characters`() {
        #expect(outcome(.exited(0), printing: "\n \r\n\t a\u{1B}[31m\tb \r\nc") == reply(detail: "a[31m b"))
        let long = String(repeating: "x", count: 61)
        #expect(outcome(.exited(0), printing: long) == reply(detail: String(repeating: "x", count: 59) + "…"))
    }
}
