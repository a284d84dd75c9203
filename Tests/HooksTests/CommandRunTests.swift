import Hooks
import Monitoring
import TestSupport
import Testing

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
