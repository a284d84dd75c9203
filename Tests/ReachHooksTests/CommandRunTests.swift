import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachHooks

/// Commands that are run directly, without a runner.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct CommandRunTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test func `a result has the status and the beginning of the output`() async {
        let script = "echo \"$REACH_TARGET is fine\"; head -c 300000 /dev/zero | tr '\\0' x; exit 2"
        let result = await HookCommand.shell(script).run(environment: [("REACH_TARGET", "NAS")])
        #expect(result.status == .exited(2))
        #expect(result.output.hasPrefix("NAS is fine\nxxx"))
        #expect(result.output.utf8.count == 1_024)
        #expect(result.duration > .zero)
    }

    @Test func `a command that cannot be started has a reason`() async {
        let result = await HookCommand.program("/nowhere/probe", arguments: []).run(environment: [])
        #expect(result.status == .notStarted("/nowhere/probe: not found"))
    }

    @Test func `a command does not start while the system has no room for another open file`() async {
        var opened = 0
        let reason = DescriptorReservation.acquire {
            opened += 1
            guard opened == 5 else { return open("/dev/null", O_RDONLY | O_CLOEXEC) }
            errno = ENFILE
            return -1
        }
        #expect(reason == "the machine is out of file descriptors – sysctl -w fs.file-max=2097152")
        #expect(opened == 5)
        #expect(await HookCommand.program("true", arguments: []).run(environment: []).status == .exited(0))
    }

    @Test func `cancelling ends a command and its children, even if they ignore SIGTERM`() async throws {
        let pids = scratch.file("pids")
        let script = """
            (trap '' TERM; echo $(exec sh -c 'echo $PPID') >>\(pids); while :; do sleep 1; done) &
            echo $$ >>\(pids); wait
            """
        let running = Task {
            await HookCommand.shell(script).run(environment: [], killGrace: .milliseconds(100))
        }
        let processes = try await scratch.numbers(in: "pids", count: 2)
        running.cancel()
        let result = await running.value
        #expect(result.status == .cancelled)
        #expect(result.duration < .seconds(5))
        #expect(processes.filter(isRunning) == [])
    }

    @Test func `a command cancelled before its start is not started`() async {
        let mark = scratch.file("mark")
        let running = Task {
            while !Task.isCancelled { await Task.yield() }
            return await HookCommand.shell("echo >\(mark)").run(environment: [])
        }
        running.cancel()
        #expect(await running.value.status == .cancelled)
        #expect(scratch.lines(of: "mark") == [])
    }
}

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
