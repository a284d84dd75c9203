import ArgumentParser
import Foundation
import ReachHooks
import ReachMonitoring
import ReachReporting
import ReachSettings
import ReachSystem

/// `reach wait`: waits until targets reply, then replaces this process with a command.
struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until targets reply, then run a command in place of this process.",
        usage: """
            reach wait db:5432 -- ./serve           wait until db listens, then run ./serve
            reach wait --within 30s @NAS && backup  status 124 after 30 seconds
            reach wait --any db1:5432 db2:5432      one target is enough; --count 2: two
            reach wait --not 192.0.2.1 -- poweroff  wait until the target is down
            reach wait --within 5m --junit wait.xml @group:Staging
            """,
        discussion: """
            All targets are probed at once, and then every --interval. A target is up after one reply, and down after \
            the losses in a row that the settings require (fall, default: 3). The command after -- runs only on success, \
            and replaces this process: its signals and its exit status are its own. Hooks do not run, and depends_on \
            blocks no target.
            On a terminal, a line for each missing target shows the progress. Otherwise, each change of health is a line on \
            standard error.
            Exit status: 0 reached, 1 the file of --junit cannot be written, 2 usage or settings error, 3 timeout of --within while the missing targets cannot be \
            probed, 124 timeout of --within, 126 the command cannot be run, \
            127 command not found, 128+n ended by signal n; otherwise the status of the command.
            """
    )

    @OptionGroup var options: SharedOptions

    @OptionGroup(title: "Probes") var probeOptions: ProbeOptions

    @OptionGroup var logging: LogOptions

    @Option(
        help: ArgumentHelp("Timeout, such as 30s or 5m. (default: none)", valueName: "time"),
        transform: Duration.argument
    )
    var within: Duration?

    @Flag(help: "Wait until all targets are up at the same time. (default)")
    var all = false

    @Flag(help: "Wait until any target is up.")
    var any = false

    @Option(help: ArgumentHelp("Wait until this many targets are up at the same time.", valueName: "count"))
    var count: Int?

    @Flag(help: "Wait until targets are down, instead of up.")
    var not = false

    @Option(
        help: ArgumentHelp("Time between two probes of a target. (default: 250ms)", valueName: "time"),
        transform: Duration.argument
    )
    var interval = Duration.milliseconds(250)

    @Option(
        help: ArgumentHelp(
            "Double the time between two probes of a target after each loss, up to this time.",
            valueName: "time"
        ),
        transform: Duration.argument
    )
    var backoff: Duration?

    @Flag(help: "A JSON object for each event, as watch --json, and at the end one as check --json.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "JUnit XML file with a test case for each target; also after a timeout or signal.",
            valueName: "file"
        ),
        completion: .file(extensions: ["xml"])
    )
    var junit: String?

    @Flag(name: .shortAndLong, help: "No progress and no timeout message, only the exit status.")
    var quiet = false

    @Option(
        name: .customLong(Self.commandName),
        parsing: .remaining,
        help: ArgumentHelp(
            "Command to run on success, with its arguments.",
            valueName: "command",
            // Users type --, which the usage and the manual show.
            visibility: .hidden
        )
    )
    var command: [String] = []

    static let commandName = "run"

    /// Returns the command line with the first `--` replaced by the option that it stands for. The parser supports arguments
    /// after `--`, but not together with a list of targets.
    static func normalized(_ arguments: [String]) -> [String] {
        guard arguments.first == configuration.commandName, let index = arguments.firstIndex(of: "--") else {
            return arguments
        }
        var arguments = arguments
        arguments[index] = "--\(commandName)"
        return arguments
    }

    func validate() throws {
        guard !options.targets.isEmpty else {
            throw ValidationError("missing target – such as reach wait HOST:PORT -- COMMAND")
        }
        guard [all, any, count != nil].count(where: \.self) <= 1 else {
            throw ValidationError("--all, --any and --count cannot be combined")
        }
        guard interval >= .milliseconds(10) else { throw ValidationError("--interval: must be at least 10ms") }
        if let backoff, backoff < interval {
            throw ValidationError("--backoff: must be at least --interval, \(interval.settingsText)")
        }
        guard junit != "" else { throw ValidationError("--junit: empty file name – such as wait.xml") }
        guard command.first != "" else { throw ValidationError("empty command after --") }
    }

    func run() async throws {
        let redaction = SharedRedaction()
        // Before signals are trapped: opening a FIFO blocks until it has a reader, and any signal must end that.
        let log = try logging.loggers(time: ProgramTime(), redaction: redaction)
        let source = try options.source(probes: probeOptions)
        let signals = await Signals()
        let fetcher = SourceFetcher(redaction: redaction, logger: log("sources"))
        let lists = try ListedSettings(of: source, unread: await source.fetchLists(by: fetcher), redaction)
        guard lists.problems.isEmpty else { throw StartupError(lines: lists.problems + lists.notes) }
        if !quiet { for line in lists.notes { StandardStreams.printMessage(line.printable, priority: .warning) } }
        let targets = lists.settings.targets
        // Opened first, so that an error is reported before the wait.
        let file = try junit.map { path throws(StartupError) in try OutputFile(path, of: "--junit") }
        let condition = Wait.Condition(requiredCount: try requiredCount(of: targets), isNegated: not)
        if targets.contains(where: \.isCommand) { await HookCommand.prepare() }
        let monitor = TimedMonitor(isQuiet: quiet || json, redaction: redaction, log: log)
        let lines = ProgressLines(isQuiet: quiet || json, environment: ProcessInfo.processInfo.environment)
        let format: WaitReporter.Format = quiet || lines.isShown ? .none : json ? .json : .lines
        let reporter = WaitReporter(format: format, redaction: redaction)
        var wait = Wait(monitor, lines: lines, reporter: reporter, condition: condition, backoff: backoff)
        let cause = await InputSource.run(monitor.sources(signals)) {
            await wait.run(targets, every: interval, within: within, $0)
        }
        if case .unwritable = cause {} else { try wait.reportStates() }
        let unwritten = await file?.write(wait.junit(after: cause).text, signals: await Signals()) ?? 0
        switch cause {
        case .signal(let number):
            throw ExitCode(128 + number)
        case .unwritable(let status):
            throw ExitCode(status)
        case .timeout:
            if !quiet { StandardStreams.printMessage(wait.timeoutMessage(after: within ?? .zero)) }
            throw wait.isProbed ? ExitCode(124) : .notProbed
        case .met:
            guard unwritten == 0 else { throw ExitCode(unwritten) }
            guard !command.isEmpty else { return }
            await LogOptions.flush()
            let (problem, status) = ExecCommand(arguments: command).run()
            StandardStreams.printMessage(problem.printable)
            throw ExitCode(status)
        }
    }

    /// The number of targets that must meet the condition; nil for all.
    private func requiredCount(of targets: [Target]) throws(StartupError) -> Int? {
        guard let count else { return any ? 1 : nil }
        // With addresses = "each", a name can become more targets.
        let canGrow = targets.contains { $0.addresses == .each }
        guard count >= 1, canGrow || count <= targets.count else {
            let range = targets.count == 1 ? "must be 1" : "must be between 1 and \(targets.count)"
            throw StartupError("--count \(count): \(range), the number of targets")
        }
        return count
    }
}

extension WaitCommand {
    /// Returns the problem with a command line whose command is not after `--`, so that its words would be targets; nil
    /// for another command line.
    ///
    /// - Parameter isProgram: whether a program has this name or path.
    static func missingDashes(
        in arguments: [String],
        isProgram: (String) -> Bool = { $0.isProgram(path: ProcessInfo.processInfo.environment["PATH"] ?? "") }
    ) -> String? {
        guard arguments.first == configuration.commandName, normalized(arguments) == arguments,
            !arguments.contains("--\(commandName)")
        else { return nil }
        // The words before it must be a valid command line with a target. Otherwise, the word is the value of an option.
        let index = arguments.indices.dropFirst(2).first { index in
            guard isProgram(arguments[index]) else { return false }
            return (try? Reach.parseAsRoot(Array(arguments[..<index]))) is WaitCommand
        }
        guard let index else { return nil }
        let words = arguments.map(\.shellWord)
        let fixed = (["reach"] + words[..<index] + ["--"] + words[index...]).joined(separator: " ")
        let host = arguments[index].contains("/") ? "" : " For a host of this name, use icmp://\(arguments[index])"
        return "the command \"\(arguments[index])\" is not after \"--\" – did you mean \"\(fixed)\"?\(host)".printable
    }
}

extension String {
    /// Whether this is the path of an executable file, or the name of one in a folder of `PATH`. A target is neither.
    fileprivate func isProgram(path: String) -> Bool {
        guard !isEmpty, !hasPrefix("-"), !hasPrefix("@"), !contains(":") else { return false }
        let files = contains("/") ? [self] : path.split(separator: ":").map { "\($0)/\(self)" }
        return files.contains { file in
            var isFolder: ObjCBool = false
            let manager = FileManager.default
            return manager.isExecutableFile(atPath: file) && manager.fileExists(atPath: file, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }
}

/// A command that replaces this process by `execvp`: its signals and its exit status are its own.
struct ExecCommand {
    /// The program, searched in `PATH` unless it contains a slash, and its arguments; never empty.
    let arguments: [String]

    /// Replaces this process by the command.
    ///
    /// - Returns: Only after a failure: the problem, and the exit status as in shells, 127 for a command that is not found
    ///   and 126 for one that cannot be run.
    func run() -> (problem: String, status: Int32) {
        InitialProcessState.atStart.restore()
        let pointers = arguments.map { strdup($0) } + [nil]
        execvp(arguments[0], pointers)
        let code = errno
        for pointer in pointers { free(pointer) }
        let problem = "cannot run \(arguments[0]): \(SystemError(code))"
        return (problem, code == ENOENT || code == ENOTDIR ? 127 : 126)
    }
}
