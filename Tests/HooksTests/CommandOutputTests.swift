import Monitoring
import TestSupport
import Testing

@testable import Hooks

/// Commands that are run for their output.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct CommandOutputTests {
    private func output(_ line: String, limit: Int = 1_000_000, timeout: Duration = .seconds(20)) async -> CommandOutput
    {
        await HookCommand.shell(line).output(limit: limit, timeout: timeout)
    }

    @Test func `standard output is whole, and standard error is apart`() async {
        let output = await output("echo one; echo wrong >&2; head -c 300000 /dev/zero; echo end; echo worse >&2")
        #expect(output.status == .exited(0) && !output.isTooLong)
        #expect(output.bytes.count == 300_008 && output.bytes.starts(with: Array("one\n".utf8)))
        #expect(output.lastError == "worse")
    }

    @Test func `the status of a failure is known`() async {
        #expect(await output("exit 3").status == .exited(3))
        let missing = await HookCommand.program("/nonexistent", arguments: []).output(limit: 10, timeout: .seconds(5))
        guard case .notStarted = missing.status else {
            Issue.record("\(missing.status)")
            return
        }
    }

    @Test func `a command that writes too much is ended`() async {
        let output = await output("yes", limit: 100_000)
        #expect(output.isTooLong && output.bytes.count <= 100_000)
        #expect(output.status == .cancelled)
    }

    @Test func `processes that a command leaves behind are ended`() async throws {
        let output = await output("sleep 60 >&2 & echo $!; (trap '' TERM; sleep 60 >&2) & echo $!")
        #expect(output.status == .exited(0))
        let processes = String(decoding: output.bytes, as: UTF8.self).split(separator: "\n").compactMap { Int32($0) }
        #expect(processes.count == 2 && processes.filter(isRunning) == [])
    }

    @Test func `a command that runs too long is ended with its children`() async {
        let start = ContinuousClock.now
        let output = await output("echo begun; sleep 60 & sleep 60", timeout: .milliseconds(300))
        #expect(output.status == .timedOut && output.bytes == Array("begun\n".utf8))
        #expect(ContinuousClock.now - start < .seconds(30))
    }
}
