import Monitoring
import Testing

@testable import Hooks
import LibC

/// Quitting that came while a command was being started.
@Suite(.timeLimit(.minutes(1))) struct EarlyQuitTests {
    /// The end of a command that would end by itself with its input. It gets that only after it has been reported as begun,
    /// so a signal of that moment always comes first.
    private func end(isKilled: Bool) async -> HookResult.Status {
        let runner = LiveRunner().runner
        let run = HookRun.make(1)
        let process = HookProcess(
            command: .program("cat", arguments: []),
            environment: [],
            input: "",
            ignoredSignals: []
        )
        return await process.run(
            onStart: { await runner.begin(run, as: $0, isKilled: isKilled) },
            beforeReaping: {}
        ).status
    }

    @Test func `the command gets TERM as soon as it has begun`() async {
        #expect(await end(isKilled: false) == .signalled(Int(SIGTERM)))
    }

    @Test func `and KILL where that was to be sent already`() async {
        #expect(await end(isKilled: true) == .signalled(Int(SIGKILL)))
    }
}

extension HookRunner {
    /// Reports the process group of a command after quitting has begun.
    fileprivate func begin(_ run: HookRun, as group: ProcessGroup, isKilled: Bool) {
        children[run.id] = Child()
        end(run.id, because: .cancelled, grace: .seconds(30))
        if isKilled { kill() }
        began(run, as: group)
        children.removeValue(forKey: run.id)?.timers.forEach { $0.cancel() }
    }
}
