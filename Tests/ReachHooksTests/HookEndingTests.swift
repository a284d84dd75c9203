import Foundation
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachHooks

/// Ending commands, with all processes of their groups.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct HookEndingTests {
    private let scratch: Scratch
    private var live = LiveRunner()

    init() throws {
        scratch = try Scratch()
    }

    /// A shell that ignores SIGTERM, with a child that ignores it too. Both write their process identifiers to a file.
    private var stubborn: String {
        """
        trap '' TERM
        (echo $(exec sh -c 'echo $PPID') >>\(pids); while :; do sleep 1; done) &
        echo $$ >>\(pids); echo on; wait
        """
    }

    /// A shell that ends by SIGTERM, with a child that ignores it.
    private var stubbornChild: String {
        """
        (trap '' TERM; echo $(exec sh -c 'echo $PPID') >>\(pids); while :; do sleep 1; done) &
        echo $$ >>\(pids); wait
        """
    }

    private var pids: String { scratch.file("pids") }

    @Test mutating func `a command that times out is ended by SIGTERM`() async throws {
        let result = try #require(await live.result(of: "echo begun; exec sleep 300", timeout: .milliseconds(100)))
        #expect(result.status == .timedOut)
        #expect(result.output == "begun\n")
        #expect(result.duration < .seconds(100))
    }

    @Test mutating func `a command may clean up after SIGTERM`() async throws {
        let result = await live.result(
            of: "trap 'echo cleaned up; exit 0' TERM; echo begun; while :; do sleep 0.01; done",
            timeout: .milliseconds(300)
        )
        #expect(result?.status == .timedOut)
        #expect(result?.output.hasPrefix("begun\n") == true)
        #expect(result?.output.hasSuffix("cleaned up\n") == true)
    }

    @Test mutating func `a command that ignores SIGTERM is killed with its children`() async throws {
        let result = try #require(await live.result(of: stubborn, timeout: .milliseconds(200)))
        #expect(result.status == .timedOut)
        #expect(result.output == "on\n")
        #expect(result.duration >= .milliseconds(350))
        #expect(result.duration < .seconds(5))
        let processes = try await scratch.numbers(in: "pids", count: 2)
        #expect(processes.filter(isRunning) == [])
    }

    @Test mutating func `a child that outlives its shell is killed`() async throws {
        let result = try #require(await live.result(of: stubbornChild, timeout: .milliseconds(200)))
        #expect(result.status == .timedOut)
        let processes = try await scratch.numbers(in: "pids", count: 2)
        #expect(processes.filter(isRunning) == [])
    }

    @Test mutating func `a child that outlives its shell has the rest of the grace period`() async throws {
        live = LiveRunner(killGrace: .seconds(20))
        let child = "trap 'sleep 0.1; echo >\(scratch.file("tidy")); exit' TERM; while :; do sleep 0.01; done"
        let result = try #require(
            await live.result(of: "(\(child)) & wait", timeout: .milliseconds(300))
        )
        #expect(FileManager.default.fileExists(atPath: scratch.file("tidy")))
        #expect(result.duration < .seconds(10))
    }

    @Test mutating func `a stopped command is ended by SIGTERM`() async throws {
        live = LiveRunner(killGrace: .seconds(20))
        let result = try #require(await live.result(of: "kill -STOP $$; echo on", timeout: .milliseconds(100)))
        #expect(result.status == .timedOut)
        #expect(result.duration < .seconds(5))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/setsid"), "setsid is not installed"))
    mutating func `zombies in the group are not waited for, and processes outside it are not ended`() async throws {
        live = LiveRunner(killGrace: .seconds(20))
        // The parent of the first sleep leaves the group and never reaps its child.
        let line = "(sleep 30 & echo $! >>\(pids); exec setsid sleep 40) & echo $! >>\(pids); wait"
        let result = try #require(await live.result(of: line, timeout: .milliseconds(400)))
        let processes = try await scratch.numbers(in: "pids", count: 2)
        #expect(result.status == .timedOut)
        #expect(result.duration < .seconds(10))
        let left = processes.filter(isRunning)
        #expect(left.count == 1)
        for process in left { kill(process, SIGKILL) }
    }

    @Test mutating func `a command that closed its output is waited for`() async throws {
        let result = try #require(await live.result(of: "exec >&- 2>&-; sleep 0.3; exit 3"))
        #expect(result.status == .exited(3))
        #expect(result.duration >= .milliseconds(300))
    }

    @Test mutating func `a command that closed its output still times out`() async throws {
        let result = try #require(
            await live.result(of: "exec >&- 2>&-; exec sleep 30", timeout: .milliseconds(100))
        )
        #expect(result.status == .timedOut)
        #expect(result.duration < .seconds(5))
    }

    @Test mutating func `the next run of a target starts after a timeout`() async {
        let slow = HookRun.make(1, run: .shell("exec sleep 30"), timeout: .milliseconds(50))
        let next = HookRun.make(2, run: .shell("echo next"))
        await live.runner.submit([slow])
        #expect(await live.result(of: next)?.output == "next\n")
    }

    @Test mutating func `quitting ends runs in progress, drops waiting runs and finishes the reports`() async throws {
        live = LiveRunner(limit: 1)
        let running = HookRun.make(1, target: 1, run: .shell(stubbornChild))
        let waiting = HookRun.make(2, target: 2)
        await live.runner.submit([running, waiting])
        let processes = try await scratch.numbers(in: "pids", count: 2)
        await live.runner.quit(graceful: .milliseconds(150))
        #expect(processes.filter(isRunning) == [])

        let late = HookRun.make(3)
        await live.runner.submit([late])
        var reports: [HookReport] = []
        while let report = await live.next() { reports.append(report) }
        #expect(reports.count == 3)
        #expect(reports.contains(.started(running)))
        #expect(reports.contains(.dropped(waiting, .quitting)))
        guard case .finished(running, let result) = reports.last else {
            Issue.record("the running command was not reported")
            return
        }
        #expect(result.status == .cancelled)
    }

    @Test mutating func `quitting waits only until the commands end`() async throws {
        await live.runner.submit([.make(1, run: .shell("echo $$ >\(pids); exec sleep 30"))])
        _ = try await scratch.numbers(in: "pids", count: 1)
        let took = await ContinuousClock().measure { await live.runner.quit(graceful: .seconds(30)) }
        #expect(took < .seconds(5))
    }

    @Test mutating func `quitting an idle runner returns at once`() async {
        await live.runner.quit()
        #expect(await live.next() == nil)
        await live.runner.quit()
    }

    @Test mutating func `quitting ends a command that is being started`() async {
        await live.runner.submit([.make(1, run: .shell("exec sleep 30"))])
        let took = await ContinuousClock().measure { await live.runner.quit(graceful: .milliseconds(150)) }
        #expect(took < .seconds(5))
    }

    @Test func `quitting sends SIGTERM to a command that is being started, before the grace period ends`() async {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let live = LiveRunner(onPayload: { start.yield() })
        let (runner, clock) = (live.runner, ContinuousClock())
        let quitting = Task {
            for await _ in starts { break }
            return await clock.measure { await runner.quit(graceful: .seconds(30)) }
        }
        await runner.submit([.make(1, run: .program("sleep", arguments: ["40"]))])
        #expect(await quitting.value < .seconds(15))
    }

    @Test mutating func `quitting also reports to its own closure`() async {
        live = LiveRunner(limit: 1)
        let running = HookRun.make(1, target: 1, run: .program("sleep", arguments: ["30"]))
        let waiting = HookRun.make(2, target: 2)
        await live.runner.submit([running, waiting])
        #expect(await live.next() == .started(running))
        let (reports, report) = AsyncStream.makeStream(of: HookReport.self)
        await live.runner.quit(graceful: .seconds(30), report: { report.yield($0) })
        report.finish()
        var ends: [HookReport] = []
        for await report in reports { ends.append(report) }
        #expect(ends.first == .dropped(waiting, .quitting))
        guard ends.count == 2, case .finished(running, let result) = ends[1] else {
            Issue.record("\(ends)")
            return
        }
        #expect(result.status == .cancelled)
    }

    @Test mutating func `quitting twice kills at once`() async throws {
        await live.runner.submit([.make(1, run: .shell(stubborn))])
        let processes = try await scratch.numbers(in: "pids", count: 2)
        let runner = live.runner
        let took = await ContinuousClock().measure {
            async let first: Void = runner.quit(graceful: .seconds(30))
            while await !runner.isQuitting { await Task.yield() }
            await runner.quit()
            await first
        }
        #expect(took < .seconds(5))
        #expect(processes.filter(isRunning) == [])
    }
}

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
