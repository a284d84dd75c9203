import Foundation
import Logging
import ReachBasics
import ReachHooks
import ReachKit
import ReachMonitoring
import ReachProbing
import ReachSettings
import ReachSystem

/// Reads the lists of sources.
struct SourceFetcher: Sendable {
    /// A list, and how long it is valid if its server says so.
    struct Reply: Sendable {
        let list: DiscoveryList
        var lifetime: Duration?
    }

    /// The largest size of a list in bytes.
    private static let byteLimit = 67_108_864
    private static let redirectLimit = 5

    /// Runs the calls of the file system.
    private let files: BlockingQueue
    /// Parses lists. A list of the largest size takes seconds.
    private let parsing = BlockingQueue("parsing")
    private let redaction: SharedRedaction
    private let logger: Logger

    /// - Parameters:
    ///   - redaction: Gets the secrets of requests, and removes them from problems.
    ///   - files: Runs the calls of the file system.
    ///   - logger: Gets a message for each request at level debug; silent by default.
    init(
        redaction: SharedRedaction = SharedRedaction(),
        files: BlockingQueue = BlockingQueue("lists"),
        logger: Logger = Logger(label: "sources") { _ in SwiftLogNoOpLogHandler() }
    ) {
        (self.redaction, self.files, self.logger) = (redaction, files, logger)
    }

    /// Reads the list of a source. The problem has no secrets of the request.
    func fetch(_ source: DiscoverySource) async -> Result<Reply, DiscoveryProblem> {
        await read(source).mapError { DiscoveryProblem(redaction.forScreen.text($0.description)) }
    }

    /// The beginning of a text of a peer. Secrets are removed before it is cut, since a part of one would not be found.
    private func excerpt(_ text: some StringProtocol, limit: Int) -> Substring {
        redaction.forScreen.text(String(text.prefix(4_096))).prefix(limit)
    }

    private func read(_ source: DiscoverySource) async -> Result<Reply, DiscoveryProblem> {
        do throws(DiscoveryProblem) {
            switch source.kind {
            case .files:
                let list = try await callFiles(of: source) { () throws(DiscoveryProblem) in
                    try ListFiles(source)?.read() ?? DiscoveryList()
                }
                return .success(Reply(list: list))
            case .http(let request):
                return .success(try await parsed(try await body(of: request, source), DiscoveryList.init(groups:)))
            case .prometheus(let request):
                var targets = request
                let base = request.url.hasSuffix("/") ? String(request.url.dropLast()) : request.url
                targets.url = "\(base)/api/v1/targets?state=active"
                let body = try await body(of: targets, source)
                return .success(try await parsed(body, DiscoveryList.init(activeTargets:)))
            case .command(let command):
                return .success(try await parsed(try await output(of: command, source), DiscoveryList.init(groups:)))
            case .services(let name, let servers):
                return .success(try await services(name, servers, source))
            }
        } catch {
            return .failure(error)
        }
    }

    private func parsed(
        _ bytes: [UInt8],
        _ parse: @escaping @Sendable ([UInt8]) throws(DiscoveryProblem) -> DiscoveryList
    ) async throws(DiscoveryProblem) -> Reply {
        Reply(list: try await run(on: parsing) { () throws(DiscoveryProblem) in try parse(bytes) })
    }

    /// Runs a call of the file system within the timeout of a source.
    func callFiles<Value: Sendable>(
        of source: DiscoverySource,
        _ call: @escaping @Sendable () throws(DiscoveryProblem) -> Value
    ) async throws(DiscoveryProblem) -> Value {
        let result = await withTimeout(source.timeout) { [files] in await files.run { Result(catching: call) } }
        guard let result else {
            throw DiscoveryProblem("the file system did not answer within \(source.timeout.settingsText)")
        }
        guard let result else { throw DiscoveryProblem("cancelled") }
        return try result.get()
    }

    private func run<Value: Sendable>(
        on queue: BlockingQueue,
        _ call: @escaping @Sendable () throws(DiscoveryProblem) -> Value
    ) async throws(DiscoveryProblem) -> Value {
        guard let result = await queue.run({ Result(catching: call) }) else { throw DiscoveryProblem("cancelled") }
        return try result.get()
    }

    // MARK: HTTP

    /// Sends the request of a source, and returns the body of its response, which must be JSON with status 200.
    private func body(of request: DiscoveryRequest, _ source: DiscoverySource) async throws(DiscoveryProblem) -> [UInt8]
    {
        var headers = try await callFiles(of: source, source.headers)
        redaction.update(requestOf: request.url, headers: headers)
        let isAccepting = headers.contains { $0.name.lowercased() == "accept" }
        if !isAccepting { headers.append(HTTPOptions.Header(name: "Accept", value: "application/json")) }
        if case .http = source.kind {
            let seconds = source.refresh.decimal(.seconds(1), places: 3)
            headers.append(HTTPOptions.Header(name: "X-Prometheus-Refresh-Interval-Seconds", value: seconds))
        }
        var fetched = Fetch.Request(
            request.url,
            headers: HTTPFields(headers),
            redirectLimit: Self.redirectLimit,
            timeout: source.timeout,
            maximumBodySize: Self.byteLimit
        )
        fetched.limitsWholeTry = true
        // A transport for each refresh: the certificates of the authorities are read again, and no connection stays open.
        let transport = HTTPTransport(
            now: { Int64(Date().timeIntervalSince1970) },
            tls: Fetch.TLS(
                authorities: request.authorities,
                clientCertificate: request.certificate.map {
                    Fetch.TLS.ClientCertificate(chain: $0, privateKey: request.key ?? $0)
                }
            ),
            logger: logger
        )
        let response: Fetch.Response
        do throws(Fetch.Error) {
            response = try await transport.send(fetched)
        } catch {
            await transport.shutdown()
            throw DiscoveryProblem("\(error)")
        }
        await transport.shutdown()
        return try body(of: response)
    }

    /// Returns the body of a response if it is a list.
    private func body(of response: Fetch.Response) throws(DiscoveryProblem) -> [UInt8] {
        guard response.status == 200 else {
            // Prometheus sends the error as JSON.
            let tree = try? JSONTree([UInt8](response.body.prefix(65_536)))
            let text = tree?["error"]?.text.map { ": \(excerpt($0, limit: 200))" } ?? ""
            throw DiscoveryProblem("HTTP \(response.status)\(text)")
        }
        switch response.ending {
        case .whole: break
        case .truncated: throw DiscoveryProblem("longer than \(Self.byteLimit / 1_048_576) MiB")
        case .timeout: throw DiscoveryProblem("timeout after \(response.body.count) bytes")
        case .lost(let error): throw DiscoveryProblem("\(error) after \(response.body.count) bytes")
        }
        if let encoding = response.headers["Content-Encoding"], !encoding.isIdentity {
            let name = excerpt(encoding, limit: 50)
            throw DiscoveryProblem("Content-Encoding \(name) is not accepted – the server must answer without it")
        }
        let type = response.headers["Content-Type"] ?? ""
        guard type.isJSONMediaType else {
            let found = type.isEmpty ? "no content type" : "content type \"\(excerpt(type, limit: 100))\""
            throw DiscoveryProblem("\(found) – the server must answer with application/json in UTF-8")
        }
        return [UInt8](response.body)
    }

    // MARK: Commands

    private func output(of command: HookCommand, _ source: DiscoverySource) async throws(DiscoveryProblem) -> [UInt8] {
        let output = await command.output(
            limit: Self.byteLimit,
            timeout: source.timeout,
            ignoredSignals: InitialProcessState.atStart.ignoredSignals
        )
        if output.isTooLong { throw DiscoveryProblem("longer than \(Self.byteLimit / 1_048_576) MiB") }
        let error = output.lastError.isEmpty ? "" : ": \(excerpt(output.lastError, limit: 200))"
        switch output.status {
        case .exited(0): return output.bytes
        case .exited(let code): throw DiscoveryProblem("the command exited with status \(code)\(error)")
        case .signalled(let signal): throw DiscoveryProblem("the command was ended by signal \(signal)\(error)")
        case .timedOut: throw DiscoveryProblem("timeout after \(source.timeout.settingsText)\(error)")
        case .cancelled: throw DiscoveryProblem("cancelled")
        case .notStarted(let reason): throw DiscoveryProblem("the command did not start: \(reason)")
        case .answered, .unanswered: throw DiscoveryProblem("the command did not start")
        }
    }

    // MARK: DNS

    private func services(
        _ name: String,
        _ servers: [String],
        _ source: DiscoverySource
    ) async throws(DiscoveryProblem) -> Reply {
        let answer: ServiceAnswer
        do throws(Failure) {
            answer = try await ServiceLookup(of: name, at: servers, timeout: source.timeout).answer()
        } catch {
            throw DiscoveryProblem(error.detail)
        }
        var list = DiscoveryList()
        for record in answer.records {
            // The labels of Prometheus's service discovery by DNS.
            try list.add(
                ["\(record.host):\(record.port)"],
                labels: [
                    "__meta_dns_name": name,
                    "__meta_dns_srv_record_target": record.host,
                    "__meta_dns_srv_record_port": String(record.port),
                ]
            )
        }
        return Reply(list: list, lifetime: answer.lifetime)
    }
}

extension String {
    /// Whether this content coding leaves the body as it is.
    fileprivate var isIdentity: Bool { ["identity", ""].contains(lowercased().filter { !$0.isWhitespace }) }

    /// Whether the text is the media type of JSON, with UTF-8 as the only parameter.
    fileprivate var isJSONMediaType: Bool {
        let parts = lowercased().split(separator: ";", omittingEmptySubsequences: false).map { part in
            part.filter { !$0.isWhitespace }
        }
        guard parts.first == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { ["charset=utf-8", "charset=\"utf-8\"", ""].contains($0) }
    }
}
