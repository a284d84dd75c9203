import Hooks
import Monitoring
import Reporting
import UnixSignals

/// Hooks that the user runs by hand: what became of each is told, and what it wrote.
struct HookTrial {
    private let engine: Engine
    private let runs: [HookRun]

    /// The hooks of a target, which is asked nothing.
    init(of target: Target, by engine: Engine) {
        self.engine = engine
        var roster = Roster()
        _ = roster.apply(Settings(targets: [target]), at: engine.time.now)
        runs = roster.standings.flatMap { roster.test($0.id, at: engine.time.now).runs }
    }

    /// Runs them, one after the other.
    ///
    /// - Returns: the exit status: 0 when all succeeded, 1 when one did not, 128+n after signal n.
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
        var (left, isSuccess) = (runs.count, true)
        for await report in engine.hooks.reports {
            switch report {
            case .started:
                break
            case .retrying(let run, _):
                isSuccess = tell(run, report.summary) && isSuccess
            case .finished(let run, let result):
                let lines = result.output.split(whereSeparator: \.isNewline)
                let isWritten = tell(run, report.summary) && lines.allSatisfy { print("  \($0)") }
                isSuccess = isSuccess && result.isSuccess && isWritten
                // One that fails may be tried again; the runner says so before or after.
                if result.isSuccess || run.retry == nil || !result.mayPass { left -= 1 }
            case .dropped(let run, let drop):
                _ = tell(run, "\(report.summary): \(drop.summary)")
                isSuccess = false
                left -= 1
            }
            if left == 0 { break }
        }
        ending.cancel()
        return await ending.value ?? (isSuccess ? 0 : 1)
    }

    private func tell(_ run: HookRun, _ words: String) -> Bool {
        print("\(run.occasion.name)  \(run.rule.action) \(words)")
    }

    /// What a command says may steer the terminal: it is shown without its control characters.
    ///
    /// - Returns: Whether it could be written.
    private func print(_ line: String) -> Bool {
        writeAll("\(line.printable)\n", to: 1)
    }
}
