import LibC
import Monitoring
import Testing

@testable import Hooks

/// Quitting that came while a command was being started.
@Suite(.timeLimit(.minutes(1))) struct EarlyQuitTests {
    /// The end of a command that would go on, at whose start a job begins that was cancelled before.
    private func end(isKilled: Bool) async -> HookResult.Status {
        let cancelled = Job()
        cancelled.cancel(grace: .seconds(30))
        if isKilled { cancelled.kill() }
        return await Job().run(
            .program("cat", arguments: []),
            environment: [],
            ignoredSignals: [],
            onStart: { group in
                cancelled.begin(as: group)
                while !group.hasLeaderEnded { try? await Task.sleep(for: .milliseconds(1)) }
                // Has it notice the end while the group is still there.
                cancelled.cancel(grace: .seconds(30))
                #expect(cancelled.group == nil)
                #expect(cancelled.cause == .cancelled)
            }
        ).status
    }

    @Test func `the command gets TERM as soon as it has begun`() async {
        #expect(await end(isKilled: false) == .signalled(Int(SIGTERM)))
    }

    @Test func `and KILL where that was to be sent already`() async {
        #expect(await end(isKilled: true) == .signalled(Int(SIGKILL)))
    }

    @Test func `a command that was cancelled before its start is not started`() async {
        let job = Job()
        job.cancel(grace: .seconds(30))
        let (status, _) = await job.run(
            .program("true", arguments: []),
            environment: [],
            ignoredSignals: [],
            onStart: { _ in Issue.record("it was started") }
        )
        #expect(status == .cancelled)
    }
}
