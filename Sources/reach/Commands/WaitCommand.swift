import ArgumentParser
import Foundation
import Hooks
import Monitoring
import Reporting

/// `reach wait`: waits until targets answer, and then becomes a command.
struct WaitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until targets answer, then run a command in this one's place.",
        usage: """
            reach wait db:5432 -- ./serve           until it listens, then ./serve
            reach wait --within 30s @NAS && backup  status 124 when it takes longer
            reach wait --any ntp1:123 ntp2:123      one is enough; --count 2: two
            reach wait --not 192.0.2.1 -- poweroff  until it stops answering
            """,
        discussion: """
            All targets are asked at once, and then every --interval. One reply is enough to be there; to be gone it \
            takes the losses in a row that the settings say (fall: 3). The command after -- runs only on success, and takes \
            this process's place: its signals and its exit status are its own. depends_on holds no target back, and \
            no hooks run.
            Exit status: 0 reached; 2 usage or settings; 124 --within ran out; 126 the command cannot be run; 127 it is \
            not there; 128+n ended by signal n; else the command's.
            """
    )

    @OptionGroup var options: SharedOptions

    @Option(help: ArgumentHelp("Wait no longer than this, such as 30s or 5m.", valueName: "time"), transform: Self.time)
    var within: Duration?

    @Flag(help: "Until all of the targets are there, at the same time (the default).")
    var all = false

    @Flag(help: "Until any of the targets is there.")
    var any = false

    @Option(help: ArgumentHelp("Until so many of the targets are there, at the same time.", valueName: "count"))
    var count: Int?

    @Flag(help: "Until they do not answer any more, in place of until they do.")
    var not = false

    @Option(
        help: ArgumentHelp("The time from one probe of a target to the next (250ms).", valueName: "time"),
        transform: Self.time
    )
    var interval = Duration.milliseconds(250)

    @Flag(name: .shortAndLong, help: "Show no progress, and say nothing when the time is up; the exit status tells.")
    var quiet = false

    @Option(
        name: .customLong(Self.commandName),
        parsing: .remaining,
        help: ArgumentHelp(
            "What to run then, all that follows.",
            valueName: "command",
            // What is typed is --, which help and manual show.
            visibility: .hidden
        )
    )
    var command: [String] = []

    private static let commandName = "run"

    /// The words of the command line with the first `--` as the option that it stands for. The parser has a strategy for
    /// what follows it, but none beside a list of targets.
    static func words(_ words: [String]) -> [String] {
        guard words.first == configuration.commandName, let index = words.firstIndex(of: "--") else { return words }
        var words = words
        words[index] = "--\(commandName)"
        return words
    }

    func validate() throws {
        guard !options.targets.isEmpty else {
            throw ValidationError("name what to wait for: reach wait HOST:PORT -- COMMAND")
        }
        guard [all, any, count != nil].count(where: \.self) <= 1 else {
            throw ValidationError("of --all, --any and --count, one can hold")
        }
        guard interval >= .milliseconds(10) else { throw ValidationError("--interval is at least 10ms") }
        guard command.first != "" else { throw ValidationError("the command to run is an empty word") }
    }

    func run() async throws {
        let redaction = SharedRedaction()
        // First of all: a pipe without a reader is waited for, and any signal is to end that.
        let log = try options.logging.loggers(time: ProgramTime(), redaction: redaction)
        let signals = await Signals()
        let settings = try options.source().settings()
        let targets = settings.targets
        redaction.update(settings)
        let goal = Wait.Goal(needed: try needed(of: targets), isNegated: not)
        if targets.contains(where: \.isCommand) { await HookCommand.prepare() }
        let asking = Asking(isQuiet: quiet, redaction: redaction, log: log)
        let lines = LiveLines(isQuiet: quiet, environment: ProcessInfo.processInfo.environment)
        var wait = Wait(asking, lines: lines, goal: goal)
        let ending = await InputSource.run(asking.sources(signals)) {
            await wait.run(targets, every: interval, within: within, $0)
        }
        switch ending {
        case .signal(let number):
            throw ExitCode(128 + number)
        case .late:
            if !quiet { StandardStreams.complain(wait.lateness(after: within ?? .zero)) }
            throw ExitCode(124)
        case .met:
            guard !command.isEmpty else { return }
            let (trouble, status) = Replacement(words: command).run()
            StandardStreams.complain(trouble.printable)
            throw ExitCode(status)
        }
    }

    /// How many targets must be as they should be; nil for all.
    private func needed(of targets: [Target]) throws(TargetProblems) -> Int? {
        guard let count else { return any ? 1 : nil }
        // A name with a row for each address may be more.
        let isOpen = targets.contains { $0.addresses == .each }
        guard count >= 1, isOpen || count <= targets.count else {
            let words = targets.count == 1 ? "there is one target" : "there are \(targets.count) targets"
            throw TargetProblems(lines: ["--count \(count): \(words) to wait for"])
        }
        return count
    }

    private static func time(_ word: String) throws -> Duration {
        guard let time = Duration(text: word), time > .zero else {
            throw ValidationError("invalid duration \"\(word)\": such as 250ms, 30s, 5m")
        }
        return time
    }
}
