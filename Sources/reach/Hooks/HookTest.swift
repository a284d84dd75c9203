import Hooks
import LibC
import Monitoring
import Reporting
import UnixSignals

/// A run of the hooks of one target by hand, for `reach hooks --test`. Prints the result and the output of each.
struct HookTest {
    private let engine: Engine
    private let runs: [HookRun]

    /// Creates test runs for the hooks of a target. The target is not probed.
    init(of target: Target, by engine: Engine) {
        self.engine = engine
        var roster = Roster()
        _ = roster.apply(Settings(targets: [target]), at: engine.time.now)
        runs = roster.states.flatMap { roster.test($0.id, at: engine.time.now).runs }
    }

    /// Runs the hooks, one after the other.
    ///
    /// - Returns: The exit status: 0 when all succeeded, 1 when one failed, 128+n after signal n.
    func run() async -> Int32 {
        let signals = await Signals()
        await engine.hooks.submit(runs)
        let ending = Task { () -> Int32? in
            for await signal in signals.sequence where signal.isEnding {
                await engine.hooks.quit()
                return 128 + signal.rawValue
            }
            return nil
        }
        var (remaining, isSuccess) = (runs.count, true)
        for await report in engine.hooks.reports {
            let report = engine.forScreen(report)
            switch report {
            case .started:
                break
            case .retrying(let run, _):
                isSuccess = printSummary(of: run, report.summary) && isSuccess
            case .finished(let run, let result):
                let lines = result.output.split(whereSeparator: \.isNewline)
                let isWritten = printSummary(of: run, report.summary) && lines.allSatisfy { print("  \($0)") }
                isSuccess = isSuccess && result.isSuccess && isWritten
                // The runner retries some failures, and reports each retry before or after this result.
                if result.isSuccess || run.retry == nil || !result.isTransient { remaining -= 1 }
            case .dropped(let run, let drop):
                _ = printSummary(of: run, "\(report.summary): \(drop.summary)")
                isSuccess = false
                remaining -= 1
            }
            if remaining == 0 { break }
        }
        ending.cancel()
        return await ending.value ?? (isSuccess ? 0 : 1)
    }

    private func printSummary(of run: HookRun, _ summary: String) -> Bool {
        print("\(run.context.name)  \(run.rule.action) \(summary)")
    }

    /// Prints a line without control characters: the output of a command could otherwise control the terminal.
    ///
    /// - Returns: Whether the line was written.
    private func print(_ line: String) -> Bool {
        (try? writeAll(StandardStreams.encoded("\(line.printable)\n"), to: STDOUT_FILENO)) != nil
    }
}
