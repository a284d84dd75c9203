import ArgumentParser
import Foundation
import ReachBasics
import ReachDashboard
import ReachKit
import ReachMonitoring

/// `reach fetch`: downloads a URL with retries. Only a complete body is kept.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Download a URL: wait until its host is reachable, and retry errors that can pass.",
        usage: """
            reach fetch https://example.com/file.tar -o file.tar --within 5m
            reach fetch https://api.example.com/jobs -H 'Authorization: Bearer …' -d '{"n":1}' --retry-unsafe
            reach fetch https://nas.local/backup --ca ca.pem --cert me.pem --key me.key
            """,
        discussion: """
            Each failed attempt is a line on standard error. Retried are errors that can pass: a name that is not found, \
            a refused or lost connection, a timeout, and HTTP 408, 429, 444, 500, 502, 503, 504, 522, 524 and 599. The \
            pauses are random, up to 0.5s, 1s, 2s … 30s, and not shorter than Retry-After. A Retry-After beyond --within, \
            or an hour, ends the fetch. POST, PATCH and other methods that are not idempotent are sent once, unless --retry-unsafe or an \
            Idempotency-Key header allows a retry.

            The file of --output appears only when it is complete. Standard output, a pipe or a device receives a body \
            of up to 1 MiB when it is complete. A longer one is written as it arrives. When a body breaks off, the next \
            attempt continues it if the server proves that the rest belongs to it (ETag or Last-Modified), and otherwise \
            begins anew, which a longer body on standard output cannot.

            Proxies are those of http_proxy, https_proxy, all_proxy and no_proxy, as in curl. Certificates are checked as \
            by check: by --ca, by SSL_CERT_FILE and SSL_CERT_DIR, or else by the system's authorities.

            Exit status: 0 fetched (HTTP 200 to 299), 1 not fetched, 2 usage error, 124 timeout of --within, 128+n ended by \
            signal n.
            """
    )

    @Argument(help: ArgumentHelp("URL, http:// or https://.", valueName: "url"))
    var url: String

    @OptionGroup(title: "Request") var request: FetchRequestOptions

    @OptionGroup(title: "TLS") var tls: FetchTLSOptions

    @Option(
        name: [.customShort("o"), .long],
        parsing: .unconditional,
        help: ArgumentHelp("Output file. (default: standard output)", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "Write the body of other responses than HTTP 200 to 299 too, up to 1 MiB; the exit status stays 1.")
    var failWithBody = false

    @Option(
        help: ArgumentHelp(
            "Timeout of the whole fetch, such as 30s or 5m (default: none; a host that is away is waited for).",
            valueName: "time"
        ),
        transform: Duration.argument
    )
    var within: Duration?

    @Option(help: ArgumentHelp("Maximum number of retries, 0 to 10.", valueName: "count"))
    var retries = Fetch.defaultMaximumRetries

    @Option(
        help: ArgumentHelp("Maximum silence of the server in one attempt. (default: 30s)", valueName: "time"),
        transform: Duration.argument
    )
    var timeout: Duration = .seconds(30)

    @Flag(help: "Retry any method, also those that are not idempotent.")
    var retryUnsafe = false

    @Flag(name: [.customShort("q"), .long], help: "No messages and no progress bar, only the exit status.")
    var quiet = false

    @Flag(help: "Progress bar in ASCII characters.")
    var ascii = false

    @OptionGroup var logging: LogOptions

    func validate() throws {
        guard (0...Fetch.defaultMaximumRetries).contains(retries) else {
            throw ValidationError("--retries \(retries): must be between 0 and \(Fetch.defaultMaximumRetries)")
        }
        try request.validate()
        try tls.validate()
    }

    func run() async throws {
        let time = ProgramTime()
        // Before signals are trapped: opening a FIFO blocks until it has a reader, and any signal must end that.
        let log = try logging.loggers(time: time, redaction: SharedRedaction())
        // Signals are trapped before the file is created: a signal during a write must not leave an incomplete file.
        let signals = await Signals(withOthers: true)
        let environment = ProcessInfo.processInfo.environment
        let fetch = try request.fetchRequest(of: url, timeout: timeout)
        let capabilities = TerminalCapabilities(ascii: ascii, noColor: true, environment: environment)
        let job = FetchJob(
            request: fetch,
            tls: try tls.tls(),
            retries: retries,
            policy: Fetch.Policy(repeatsAnyMethod: retryUnsafe, maximumRetryAfter: within ?? .seconds(3_600)),
            sink: try sink(),
            writesErrorBody: failWithBody,
            environment: environment,
            within: within,
            reporter: FetchReporter(isQuiet: quiet, capabilities: capabilities, time: time)
        )
        let status = try await job.run(signals, time: time, log: log)
        throw ExitCode(status)
    }

    private func sink() throws(StartupError) -> any BodySink {
        do throws(Fetch.Error) {
            return try Fetch.sink(to: output)
        } catch {
            throw StartupError("-o: \(error)")
        }
    }
}

/// The request of `reach fetch`, with curl's option names.
struct FetchRequestOptions: ParsableArguments {
    @Option(
        name: [.customShort("X"), .long],
        help: ArgumentHelp("Method. (default: GET, or POST with -d)", valueName: "method")
    )
    var request: String?

    @Option(
        name: [.customShort("H"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Header field, 'Name: value'; may be repeated.", valueName: "field")
    )
    var header: [String] = []

    @Option(
        name: [.customShort("d"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Request body: a text, or the bytes of @FILE (@-: standard input); several are joined with &.",
            valueName: "data"
        )
    )
    var data: [String] = []

    @Option(help: ArgumentHelp("Maximum number of redirects to follow, 0 to 50.", valueName: "count"))
    var follow = 10

    func validate() throws {
        guard (0...50).contains(follow) else { throw ValidationError("--follow \(follow): must be between 0 and 50") }
        if let request, !request.isHTTPToken {
            throw ValidationError("-X: invalid method \"\(request)\" – such as GET, PUT, DELETE")
        }
        _ = try fields()
    }

    /// Returns the request. The files of its body are not opened yet.
    ///
    /// - Throws: ``StartupError`` when the URL is invalid.
    func fetchRequest(of url: String, timeout: Duration) throws(StartupError) -> Fetch.Request {
        do {
            var fetch = Fetch.Request(url, headers: try fields(), body: body, redirectLimit: follow, timeout: timeout)
            fetch.method = request ?? (data.isEmpty ? "GET" : "POST")
            if !data.isEmpty, fetch.headers[.contentType] == nil {
                fetch.headers[.contentType] = "application/x-www-form-urlencoded"
            }
            return try fetch.validated()
        } catch {
            throw StartupError("\(error)")
        }
    }

    private func fields() throws -> HTTPFields {
        HTTPFields(try header.enumerated().map { try HTTPField(field: $0.element, number: $0.offset + 1) })
    }

    private var body: Fetch.Body? {
        var body: Fetch.Body?
        for text in data {
            let part: Fetch.Body =
                switch text {
                case "@-": .standardInput
                case _ where text.hasPrefix("@"): .file(String(text.dropFirst()))
                default: .text(text)
                }
            if body == nil {
                body = part
            } else {
                body?.append("&")
                body?.append(part)
            }
        }
        return body
    }
}

extension HTTPField {
    /// Parses a field of the command line: `Name: value`, as in curl.
    ///
    /// - Parameter number: The number of the field, from 1, for errors. They do not quote the field, which may be a secret.
    init(field: String, number: Int) throws {
        let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let fieldName = HTTPField.Name(String(parts[0])) else {
            throw ValidationError("-H no. \(number): invalid header field – such as 'Accept: text/plain'")
        }
        let name = String(parts[0])
        guard !HTTPOptions.framingFields.contains(name.lowercased()) else {
            throw ValidationError("-H \(name): cannot be set, reach sets this field itself")
        }
        let isPlain = parts[1].unicodeScalars.allSatisfy { $0 == "\t" || !$0.isControl }
        guard isPlain else { throw ValidationError("-H \(name): control character in the value") }
        let value = parts[1].drop { $0 == " " || $0 == "\t" }
        self.init(name: fieldName, value: String(value))
    }
}
