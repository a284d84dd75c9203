import ArgumentParser
import Dashboard
import Foundation
import Monitoring
import ReachKit

/// `reach fetch`: asks a URL until it answers, and keeps only what is whole.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a URL: wait until its host is reachable, ask, ask again while the trouble can pass.",
        usage: """
            reach fetch https://example.com/file.tar -o file.tar --within 5m
            reach fetch https://api.example.com/jobs -H 'Authorization: Bearer …' -d '{"n":1}' --retry-unsafe
            """,
        discussion: """
            Each try that fails is a line on standard error. Tried again is what can pass: a name that is not found, a \
            connection that is refused or lost, silence, and HTTP 408, 429, 444, 503, 504 and 599; after random pauses of \
            up to 0.5s, 1s, 2s … 30s, but not sooner than Retry-After asks, within 30s. POST, PATCH and other methods \
            that are not idempotent are sent once, unless --retry-unsafe or an Idempotency-Key says that twice does no harm.

            FILE has its name only when it is whole. To standard output, a pipe or a device, a body of up to 1 MiB goes \
            when it is whole; a longer one cannot be taken back, and is not begun anew when it breaks off.

            Proxies are those of http_proxy, https_proxy, all_proxy and no_proxy, as for curl.

            Exit status: 0 fetched (HTTP 200 to 299), 1 not, 2 usage, 124 --within ran out, 128+n ended by signal n.
            """
    )

    @Argument(help: ArgumentHelp("Where: http:// or https://.", valueName: "url"))
    var url: String

    @OptionGroup(title: "Request") var request: FetchRequestOptions

    @Option(
        name: [.customShort("o"), .long],
        parsing: .unconditional,
        help: ArgumentHelp("Where the body goes, instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Write the body of an answer that says no as well, its first 1 MiB; the exit status stays 1.")
    var failWithBody = false

    @Option(
        help: ArgumentHelp("Give up after this long, whatever happens: 30s, 5m.", valueName: "time"),
        transform: Self.time
    )
    var within: Duration?

    @Option(help: ArgumentHelp("Ask again so often at most, 0 to 10.", valueName: "count"))
    var retries = Fetch.mostRetries

    @Option(
        help: ArgumentHelp("How long the server may be silent in one try (30s).", valueName: "time"),
        transform: Self.time
    )
    var timeout: Duration = .seconds(30)

    @Flag(help: "Ask again with any method: sending it twice does no harm.")
    var retryUnsafe = false

    @Flag(name: [.customShort("q"), .long], help: "No messages and no progress bar; the exit status tells.")
    var quiet = false

    @Flag(help: "Draw the progress bar with ASCII only.")
    var ascii = false

    @OptionGroup var logging: LogOptions

    func validate() throws {
        guard (0...Fetch.mostRetries).contains(retries) else {
            throw ValidationError("--retries is 0 to \(Fetch.mostRetries), and was \(retries)")
        }
        try request.validate()
    }

    func run() async throws {
        let time = ProgramTime()
        // First of all: a pipe without a reader is waited for, and any signal is to end that.
        let log = try logging.loggers(time: time, redaction: SharedRedaction())
        // Trapped before a file is made: a signal that comes while it is written must not leave a part of it.
        let signals = await Signals()
        // A file that grows over the user's limit is an error of the write, and no signal.
        signal(SIGXFSZ, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        let fetch = try request.fetchRequest(of: url, timeout: timeout)
        let appearance = Appearance(ascii: ascii, noColor: true, environment: environment)
        let job = FetchJob(
            request: fetch,
            retries: retries,
            policy: Fetch.Policy(repeatsAnyMethod: retryUnsafe),
            sink: try sink(),
            keepsAnyBody: failWithBody,
            environment: environment,
            within: within,
            reporter: FetchReporter(isQuiet: quiet, isASCII: appearance.glyphs == .ascii, time: time)
        )
        let status = try await job.run(signals, time: time, log: log)
        throw ExitCode(status)
    }

    private func sink() throws(TargetProblems) -> any BodySink {
        do throws(Fetch.Error) {
            return try Fetch.sink(to: output)
        } catch {
            throw TargetProblems(lines: ["-o: \(error)"])
        }
    }

    private static func time(_ word: String) throws -> Duration {
        guard let duration = Duration(text: word), duration > .zero else {
            throw ValidationError("invalid duration \"\(word)\": such as 500ms, 30s, 5m")
        }
        return duration
    }
}
