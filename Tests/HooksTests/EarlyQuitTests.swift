import LibC
import Monitoring
import TestSupport
import Testing

@testable import Hooks

/// Quitting while a command is being started.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct EarlyQuitTests {
    /// Returns how a command ends that is started for a job cancelled before.
    private func status(isKilled: Bool) async -> HookResult.Status {
        let cancelled = Job()
        cancelled.cancel(grace: .seconds(30))
        if isKilled { cancelled.kill() }
        return await Job().run(
            .program("cat", arguments: []),
            environment: [],
            ignoredSignals: [],
            onStart: { group in
                cancelled.didStart(group)
                while !group.hasLeaderEnded { try? await Task.sleep(for: .milliseconds(1)) }
                // Makes the job process the end while the group still exists.
                cancelled.cancel(grace: .seconds(30))
                #expect(cancelled.group == nil)
                #expect(cancelled.cause == .cancelled)
            }
        ).status
    }

    @Test func `the command gets SIGTERM after its start`() async {
        #expect(await status(isKilled: false) == .signalled(Int(SIGTERM)))
    }

    @Test func `the command gets SIGKILL after its start if that was due`() async {
        #expect(await status(isKilled: true) == .signalled(Int(SIGKILL)))
    }

    @Test func `a command cancelled before its start is not started`() async {
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
