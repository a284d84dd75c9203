import Monitoring
import Testing

@testable import Probing

struct CommandOutcomeTests {
    private func outcome(
        _ status: HookResult.Status,
        saying output: String = "",
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

    @Test func `the exit status says up, down or degraded, and the first line why`() {
        #expect(outcome(.exited(0)) == reply())
        #expect(outcome(.exited(0), saying: "3 workers\nmore\n") == reply(detail: "3 workers"))
        #expect(outcome(.exited(1)) == failure("exit status 1"))
        #expect(outcome(.exited(1), saying: "no workers") == failure("no workers"))
        #expect(outcome(.exited(2)) == reply(concern: "exit status 2"))
        #expect(outcome(.exited(2), saying: "1 worker") == reply(detail: "1 worker", concern: "1 worker"))
        #expect(outcome(.exited(3)) == failure("exit status 3"))
        #expect(outcome(.exited(3), saying: "oh") == failure("exit status 3: oh"))
        #expect(outcome(.signalled(11)) == failure("killed by signal 11"))
    }

    @Test func `a command that could not be run is our fault`() {
        let fault = Outcome.fault(Fault(.internal, detail: "probe: not found in PATH"))
        #expect(outcome(.notStarted("probe: not found in PATH")) == fault)
        let line = "sh: 1: prob: not found"
        #expect(
            outcome(.exited(127), saying: line, of: .shell("prob")) == .fault(Fault(.internal, detail: line))
        )
        #expect(outcome(.exited(127)) == failure("exit status 127"))
    }

    @Test func `the first line is short, on one line, and nothing that a terminal would obey`() {
        #expect(outcome(.exited(0), saying: "\n \r\n\t a\u{1B}[31m\tb \r\nc") == reply(detail: "a[31m b"))
        let long = String(repeating: "x", count: 61)
        #expect(outcome(.exited(0), saying: long) == reply(detail: String(repeating: "x", count: 59) + "…"))
    }
}
