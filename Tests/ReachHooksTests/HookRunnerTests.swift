import Foundation
import ReachHooks
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

/// Real commands: their input and their reports.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct HookRunnerTests {
    private let scratch: Scratch
    private var live = LiveRunner()

    init() throws {
        scratch = try Scratch()
    }

    @Test mutating func `start and end of a run are reported`() async {
        let run = HookRun.make(1, run: .shell("echo done"))
        await live.runner.submit([run])
        #expect(await live.next() == .started(run))
        guard case .finished(run, let result) = await live.next() else {
            Issue.record("the run has not finished")
            return
        }
        #expect(result.status == .exited(0))
        #expect(result.output == "done\n")
        #expect(result.isSuccess)
        #expect(result.duration > .zero)
    }

    @Test mutating func `the environment has the transition and the inherited variables`() async {
        let result = await live.result(of: "env | grep ^REACH_ | sort; [ -n \"$PATH\" ] && echo with a path")
        #expect(
            result?.output == """
                REACH_ACKNOWLEDGED=
                REACH_ADDRESS=192.0.2.7
                REACH_ATTEMPT=1
                REACH_CAUSE=
                REACH_CAUSE_COUNT=
                REACH_DOWN_SECONDS=30.000
                REACH_EVENT=up
                REACH_FLAPPING=
                REACH_GROUP=office
                REACH_HEALTH=up
                REACH_HOST=192.0.2.7
                REACH_LEVEL_BEFORE_MS=
                REACH_LEVEL_MS=
                REACH_LOSS=0.25
                REACH_PATH_BEFORE=
                REACH_PATH_END=
                REACH_PATH_HOPS=
                REACH_PORT=445
                REACH_PREVIOUS_ADDRESS=
                REACH_PREVIOUS_HEALTH=down
                REACH_REASON=
                REACH_ROUND_TRIP_MS=12.000
                REACH_SHIFT=
                REACH_SINCE=2026-11-20T14:00:41.000Z
                REACH_TAGS=
                REACH_TARGET=nas
                REACH_URL=tcp://192.0.2.7:445
                REACH_VANTAGE_DEGRADED=
                REACH_VANTAGE_DOWN=
                REACH_VANTAGE_SILENT=
                REACH_VANTAGE_UP=
                with a path

                """
        )
    }

    @Test mutating func `a hostile name reaches the command unchanged, except for NUL`() async {
        let name = "$(touch /tmp/owned)\u{0} `id`; \"quoted\"\nsecond line"
        let result = await live.result(of: .make(1, name: name, run: .shell("printf %s \"$REACH_TARGET\"")))
        #expect(result?.output == "$(touch /tmp/owned) `id`; \"quoted\"\nsecond line")
    }

    @Test mutating func `standard input is one line of JSON`() async {
        let result = await live.result(of: "read -r line; echo \"<$line>\"; cat; echo end")
        #expect(result?.output == "<{\"kind\":\"transition\"}>\nend\n")
    }

    @Test mutating func `a nonzero exit status is a result`() async {
        let result = await live.result(of: "exit 3")
        #expect(result?.status == .exited(3))
        #expect(result?.isSuccess == false)
    }

    @Test mutating func `a signal that ends the command is the status`() async {
        #expect(await live.result(of: "kill -9 $$")?.status == .signalled(9))
    }

    @Test mutating func `arguments of a program are not interpreted by a shell`() async {
        let arguments = ["[%s]\\n", "two words", "$(id)", "`id`", "*", "a;b", ""]
        let result = await live.result(of: .make(1, run: .program("printf", arguments: arguments)))
        #expect(result?.output == "[two words]\n[$(id)]\n[`id`]\n[*]\n[a;b]\n[]\n")
    }

    @Test mutating func `standard output and standard error are in order`() async {
        let result = await live.result(of: "echo 1; echo 2 >&2; echo 3; echo 4 >&2")
        #expect(result?.output == "1\n2\n3\n4\n")
    }

    @Test mutating func `a program that is missing or not executable has a reason`() async throws {
        try scratch.write("#!/bin/sh\n", to: "plain")
        try scratch.write("#!/no/such/interpreter\n", to: "script", isExecutable: true)
        try scratch.write("echo\n", to: "bare", isExecutable: true)
        let expected = [
            "no-such-program": "no-such-program: not found in PATH",
            "/no/such/program": "/no/such/program: not found",
            scratch.file("plain"): "\(scratch.file("plain")): not executable",
            scratch.path: "\(scratch.path): not executable",
            scratch.file("script"): "\(scratch.file("script")): its interpreter was not found",
            scratch.file("bare"): "\(scratch.file("bare")): Exec format error",
        ]
        for (program, reason) in expected {
            let result = await live.result(of: .make(1, run: .program(program, arguments: [])))
            #expect(result?.status == .notStarted(reason))
        }
    }

    @Test mutating func `a run that cannot start is finished without being started`() async {
        let run = HookRun.make(1, run: .program("no-such-program", arguments: []))
        await live.runner.submit([run])
        guard case .finished(run, _) = await live.next() else {
            Issue.record("another report came first")
            return
        }
    }

    @Test mutating func `the last 64 KiB of the output are kept`() async {
        let result = await live.result(
            of: "i=0; while [ $i -lt 1024 ]; do printf '%01023d\\n' $i; i=$((i+1)); done"
        )
        #expect(result?.status == .exited(0))
        #expect(result?.output.utf8.count == 64 * 1_024)
        #expect(result?.droppedBytes == 960 * 1_024)
        #expect(result?.output.hasSuffix("0001023\n") == true)
    }

    @Test mutating func `all output is read while the command runs`() async {
        let result = await live.result(of: "head -c 5000000 /dev/zero; echo the end")
        #expect(result?.output.hasSuffix("the end\n") == true)
        #expect((result?.droppedBytes ?? 0) + (result?.output.utf8.count ?? 0) == 5_000_008)
    }

    @Test(arguments: ["true", "exec <&-; echo closed", "sleep 0.05"])
    func `a command need not read its input`(line: String) async {
        // More than fits into a pipe, so that writing it blocks without a reader.
        var live = LiveRunner(payload: String(repeating: "x", count: 1 << 20))
        for _ in 0..<5 {
            #expect(await live.result(of: line)?.status == .exited(0))
        }
    }

    @Test mutating func `a command has no controlling terminal and leads its own group`() async {
        let result = await live.result(
            of: """
                (: </dev/tty) 2>/dev/null && echo terminal
                [ "$(ps -o pgid= -p $$ | tr -d ' ')" = $$ ] && echo leads
                """
        )
        #expect(result?.output == "leads\n")
    }

    @Test mutating func `commands start with default signal actions`() async {
        // This process ignores SIGPIPE. A command that inherited that would write forever.
        #expect(await live.result(of: "yes | head -n 1; echo end")?.output == "y\nend\n")
    }

    @Test mutating func `a background process does not delay the result, and keeps running`() async throws {
        let result = await live.result(of: "sleep 30 & echo $! >\(scratch.file("pid")); echo left")
        #expect(result?.status == .exited(0))
        #expect(result?.output == "left\n")
        #expect(try #require(result).duration < .seconds(5))
        let left = try await scratch.numbers(in: "pid", count: 1)
        #expect(isRunning(left[0]))
        kill(left[0], SIGKILL)
    }

    @Test mutating func `a background process that keeps writing does not delay the result`() async throws {
        // Several processes, so that the pipe is never empty and reading never ends by itself.
        let line = "for i in 1 2 3 4; do cat /dev/zero & echo $! >>\(scratch.file("pids")); done; sleep 0.05"
        let result = await live.result(of: line)
        #expect(result?.status == .exited(0))
        #expect(try #require(result).duration < .seconds(5))
        for left in try await scratch.numbers(in: "pids", count: 4) { kill(left, SIGKILL) }
    }

    @Test func `at most four of forty runs are concurrent with a limit of four`() async {
        var live = LiveRunner(limit: 4)
        let mark = "echo + >>\(scratch.file("marks")); sleep 0.02; echo - >>\(scratch.file("marks"))"
        await live.runner.submit((1...40).map { .make($0, target: $0, run: .shell(mark)) })
        var finished = 0
        while finished < 40, let report = await live.next() {
            if case .finished(_, let result) = report {
                #expect(result.status == .exited(0))
                finished += 1
            }
        }
        let marks = scratch.lines(of: "marks")
        var running = 0
        var most = 0
        for mark in marks {
            running += mark == "+" ? 1 : -1
            most = max(most, running)
        }
        #expect(marks.count == 80)
        #expect(most == 4)
    }

    @Test mutating func `an obsolete run is dropped and reported`() async {
        let slow = HookRun.make(1, run: .shell("sleep 0.1"))
        let waiting = HookRun.make(2, run: .shell("echo second"))
        await live.runner.submit([slow, waiting])
        await live.runner.dropObsolete(of: Target.ID(1), isReachable: false)
        var reports: [HookReport] = []
        while reports.count < 2, let report = await live.next() {
            if case .finished = report { continue }
            reports.append(report)
        }
        #expect(Set(reports) == [.started(slow), .dropped(waiting, .obsolete)])
    }
}

/// Requests, which are queued and reported like commands.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct RequestTests {
    private static let webhook = Webhook(url: "https://example.net/hook?key=secret")

    @Test func `the answer to a request is the result of its run`() async {
        var live = LiveRunner { webhook, run in
            HookResult(status: .answered(status: 204), duration: .zero, output: "\(webhook.method) for \(run.id)")
        }
        let run = HookRun.make(7, run: .request(Self.webhook))
        await live.runner.submit([run])
        #expect(await live.next() == .started(run))
        guard case .finished(run, let result) = await live.next() else {
            Issue.record("the request has not finished")
            return
        }
        #expect(result.status == .answered(status: 204))
        #expect(result.isSuccess)
        #expect(result.output == "POST for 7")
    }

    @Test func `a request that times out is cancelled`() async throws {
        var live = LiveRunner(send: Self.never)
        let run = HookRun.make(1, run: .request(Self.webhook), timeout: .milliseconds(20))
        #expect(await live.result(of: run)?.status == .timedOut)
    }

    @Test func `quitting cancels a request in progress`() async throws {
        var live = LiveRunner(send: Self.never)
        let run = HookRun.make(1, run: .request(Self.webhook))
        await live.runner.submit([run])
        #expect(await live.next() == .started(run))
        await live.runner.quit(graceful: .seconds(30))
        guard case .finished(run, let result) = await live.next() else {
            Issue.record("the request has not finished")
            return
        }
        #expect(result.status == .cancelled)
        #expect(await live.next() == nil)
    }

    @Test func `the description of a request hides its query`() {
        #expect("\(HookAction.request(Self.webhook))" == "POST https://example.net/hook?…")
    }

    /// A server that never answers, until the task is cancelled.
    private static let never: HookRunner.Send = { _, _ in
        let (silence, continuation) = AsyncStream<Never>.makeStream()
        for await _ in silence {}
        continuation.finish()
        return HookResult(status: .unanswered(Failure(.closed)), duration: .zero)
    }
}

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct WallClockTests {
    @Test func `commands use a clock that is set after the start`() async throws {
        let wall = Mutex(WallTime(start: .seconds(788_918_400)))
        let start = ContinuousClock.now
        let runner = HookRunner(
            limit: 1,
            wall: { wall.withLock { $0 } },
            payload: { _ in "" },
            now: { start.duration(to: .now) }
        )
        var reports = runner.reports.makeAsyncIterator()
        var times: [String] = []
        for id in 1...2 {
            await runner.submit([HookRun.make(id, run: .shell("printf %s $REACH_SINCE"))])
            while let report = await reports.next(isolation: nil) {
                guard case .finished(_, let result) = report else { continue }
                times.append(result.output)
                break
            }
            // The network is up, and the clock has been set.
            wall.withLock { $0 = WallTime(start: .seconds(1_795_183_200)) }
        }
        #expect(times.map { $0.prefix(4) } == ["1995", "2026"])
        await runner.quit()
    }
}
