import ArgumentParser
import Foundation
import Logging
import ReachHooks
import ReachMonitoring
import ReachReporting
import ReachScreen
import ReachSystem
import UnixSignals

/// `reach hooks`: lists the hook rules of the settings, or runs the hooks of one target.
struct HooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks",
        abstract: "List the hook rules of the settings, or run the hooks of one target as a test.",
        usage: """
            reach hooks                   list the rules of dashboard.toml
            reach hooks --test NAS        run the hooks of a target now
            """,
        discussion: """
            A test runs with REACH_EVENT=test. It probes nothing and keeps no state.
            Exit status of a test: 0 all hooks succeeded, 1 a hook failed or there is none, 2 unknown target.
            """
    )

    @Option(
        help: ArgumentHelp("Target whose hooks run now.", valueName: "target"),
        completion: .custom(TargetCompletion.targetNames)
    )
    var test: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Settings file. (default: dashboard.toml)", valueName: "file"),
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func run() async throws {
        let name = test.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
        let source = try TargetSource(
            arguments: name.map { ["@\($0)"] } ?? [],
            config: config,
            environment: ProcessInfo.processInfo.environment
        )
        let settings = try source.settings()
        guard let name else {
            let lines = HookListing(settings.targets).lines
            try StandardStreams.write(lines.map { "\($0)\n" }.joined())
            if lines.isEmpty { StandardStreams.printMessage("no target has hooks: \(source.name)") }
            return
        }
        // A name with `family = "both"` has two targets with the same hooks.
        guard let target = settings.targets.first, !target.hooks.isEmpty else {
            StandardStreams.printMessage("target \"\(name)\" has no hooks")
            throw ExitCode(1)
        }
        let redaction = SharedRedaction()
        redaction.update(settings)
        let engine = Engine(time: ProgramTime(), redaction: redaction) { label in
            Logger(label: label) { _ in SwiftLogNoOpLogHandler() }
        }
        let status = await HookTest(of: target, by: engine).run()
        await engine.shutdown()
        throw ExitCode(status)
    }
}

/// The hook rules of the settings as a table: target, events, action and conditions.
struct HookListing {
    /// The lines of the table, the header first; empty when there is no rule.
    let lines: [String]

    init(_ targets: [Target]) {
        var rows: [[String]] = []
        for target in targets {
            for rule in target.hooks {
                // With `family = "both"`, a target has two rows and the same rules twice.
                let row = [
                    target.name, rule.eventText, rule.action.description, rule.conditions.joined(separator: ", "),
                ]
                if !rows.contains(row) { rows.append(row) }
            }
        }
        guard !rows.isEmpty else {
            lines = []
            return
        }
        let table = [["TARGET", "ON", "RUNS", "CONDITIONS"]] + rows.map { $0.map(\.printable) }
        let widths = (0..<3).map { column in table.map { $0[column].displayWidth }.max() ?? 0 }
        lines = table.map { row in
            let cells = zip(row, widths).map { $0.padded(toColumns: min($1, Self.maxWidth)) }
            return (cells + [row[3]]).joined(separator: "  ")
        }
    }

    /// The maximum width of a column. A longer command shifts the rest of its own line only.
    private static let maxWidth = 48
}

extension HookRule {
    /// The events of the rule, in the order of the manual.
    fileprivate var eventText: String {
        HookEvent.settable.filter(events.contains).map(\.rawValue).joined(separator: ", ")
    }

    /// The conditions of the rule besides its events, by their settings keys.
    fileprivate var conditions: [String] {
        var texts: [String] = []
        if isOnce { texts.append("once") }
        if firesAtStart { texts.append("at_start") }
        if let within { texts.append("within \(within.settingsText)") }
        if minDown > .zero { texts.append("min_down \(minDown.settingsText)") }
        if cooldown > .zero { texts.append("cooldown \(cooldown.settingsText)") }
        if retries > 0 { texts.append("retries \(retries)") }
        if skipsAcknowledged { texts.append("unless_acknowledged") }
        if skipsExplained { texts.append("unless_explained") }
        if runsWhileFlapping { texts.append("while_flapping") }
        if !allowsCellular { texts.append("not by cellular") }
        texts.append("timeout \(timeout.settingsText)")
        return texts
    }
}

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
