import Foundation
import Logging
import ReachBasics
import ReachFleet
import ReachKit
import ReachMonitoring
import ReachSystem
import Synchronization

/// Sends the queries about the fleet by HTTP. It keeps the connections to each server.
actor FleetClient {
    private var transports: [ServerCredentials: HTTPTransport] = [:]
    private let environment: [String: String]
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private let redaction: SharedRedaction
    /// Reads the files of tokens and passwords.
    private let files = BlockingQueue("secrets")
    /// The servers with texts that were cut off.
    private var serversWithCutTexts: Set<String> = []
    /// The longest URL with a query. Longer queries are sent in the body of a POST.
    private static let longestURL = 4_000
    /// The longest time until the answer to a silence.
    private static let silenceTimeout = Duration.seconds(10)
    /// The longest time until a file with a secret is read.
    private static let fileTimeout = Duration.seconds(5)

    /// - Parameters:
    ///   - environment: the variables that name proxies.
    ///   - redaction: gets the credentials, and removes them from the texts of servers.
    ///   - now: the time in seconds since 1970.
    init(
        environment: [String: String],
        redaction: SharedRedaction,
        now: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        (self.environment, self.redaction, self.now, self.logger) = (environment, redaction, now, logger)
    }

    /// Sends a request and reads the answer while it arrives.
    nonisolated func send(
        _ request: QueryRequest,
        to server: PrometheusSettings
    ) async -> Result<QueryResult, QueryFailure> {
        let transport = await transport(for: server.credentials)
        let sink = QuerySink(request.limits)
        do throws(QueryFailure) {
            let outgoing = try await outgoing(request, to: server)
            let response: Fetch.Response
            do throws(Fetch.Error) {
                response = try await transport.send(outgoing, into: sink)
            } catch {
                throw Self.failure(error)
            }
            let result = try sink.finish(response)
            if result.cutTexts > 0 { await noteCutTexts(result.cutTexts, of: server) }
            return .success(result)
        } catch {
            return .failure(Self.hint(error, at: server.url).mapText(redaction.forScreen.text))
        }
    }

    /// Creates a silence. It is sent once, and to no other server: a redirect is a failure.
    nonisolated func send(_ request: SilenceRequest, to server: AlertmanagerSettings) async -> SilenceReport.Answer {
        let transport = await transport(for: server.credentials)
        do throws(QueryFailure) {
            var headers: HTTPFields = [.accept: "application/json", .contentType: "application/json"]
            headers[.authorization] = try await authorization(server.url, server.credentials)
            var outgoing = Fetch.Request(
                server.url + SilenceRequest.path,
                method: "POST",
                headers: headers,
                body: .text(request.body),
                redirectLimit: 0,
                timeout: Self.silenceTimeout,
                maximumBodySize: SilenceRequest.maxAnswerLength
            )
            outgoing.limitsWholeTry = true
            do throws(Fetch.Error) {
                let response = try await transport.send(outgoing)
                let answer = SilenceRequest.answer(Array(response.body), httpStatus: response.status)
                guard case .failed(let text) = answer else { return answer }
                return .failed(redaction.forScreen.text(text))
            } catch {
                let failure = Self.failure(error)
                if error.isAfterRequest { return .unknown(failure.text) }
                throw failure
            }
        } catch {
            return .failed(error.text)
        }
    }

    /// Adds the fix if the URL is that of a page of Prometheus, copied from a browser.
    static func hint(_ failure: QueryFailure, at url: String) -> QueryFailure {
        let pages = ["/graph", "/query", "/targets", "/alerts"]
        guard let page = pages.first(where: url.hasSuffix) else { return failure }
        return switch failure {
        case .status(404), .notJSON: .settings("\(failure.text) – remove \(page) from the URL")
        default: failure
        }
    }

    private func noteCutTexts(_ count: Int, of server: PrometheusSettings) {
        guard serversWithCutTexts.insert(server.name).inserted else { return }
        logger.warning("\(server.name): labels longer than 64 KiB are cut off", metadata: ["count": "\(count)"])
    }

    /// Closes all connections.
    func shutdown() async {
        for transport in transports.values { await transport.shutdown() }
        transports = [:]
    }

    private func transport(for credentials: ServerCredentials) -> HTTPTransport {
        if let transport = transports[credentials] { return transport }
        var tls = Fetch.TLS(authorities: credentials.ca)
        if let cert = credentials.cert, let key = credentials.key {
            tls.clientCertificate = Fetch.TLS.ClientCertificate(chain: cert, privateKey: key)
        }
        let transport = HTTPTransport(now: now, proxies: Proxies(environment: environment), tls: tls, logger: logger)
        transports[credentials] = transport
        return transport
    }

    /// Returns the value of the field `Authorization`, from the files of the credentials as they are now, and hides it in all
    /// output from now on; nil without credentials.
    private nonisolated func authorization(
        _ url: String,
        _ credentials: ServerCredentials
    ) async throws(QueryFailure) -> String? {
        let isBasic = credentials.tokenFile == nil
        guard let file = credentials.tokenFile ?? credentials.passwordFile, !isBasic || credentials.user != nil else {
            return nil
        }
        let result = await withTimeout(Self.fileTimeout) { [files] in
            await files.run { Result { () throws(QueryFailure) in try Self.secret(in: file) } }
        }
        guard let secret = try (result ?? nil)?.get() else {
            throw .settings("cannot read \(file): the file system does not respond")
        }
        let value = isBasic ? "Basic \(Array("\(credentials.user ?? ""):\(secret)".utf8).base64)" : "Bearer \(secret)"
        redaction.update(requestOf: url, headers: [HTTPOptions.Header(name: "Authorization", value: value)])
        return value
    }

    private nonisolated func outgoing(
        _ request: QueryRequest,
        to server: PrometheusSettings
    ) async throws(QueryFailure) -> Fetch.Request {
        var headers: HTTPFields = [.accept: "application/json", .acceptEncoding: "gzip"]
        headers[.authorization] = try await authorization(server.url, server.credentials)
        let parameters = request.parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        let url = server.url + request.path
        let isShort = url.utf8.count + parameters.utf8.count < Self.longestURL
        var outgoing = Fetch.Request(
            isShort ? "\(url)?\(parameters)" : url,
            method: isShort ? "GET" : "POST",
            headers: headers,
            body: isShort ? nil : .text(parameters),
            redirectLimit: 3,
            timeout: request.timeout,
            maximumBodySize: 65_536
        )
        if !isShort { outgoing.headers[.contentType] = "application/x-www-form-urlencoded" }
        outgoing.limitsWholeTry = true
        outgoing.isDecompressed = true
        return outgoing
    }

    /// The longest secret, in bytes.
    private static let longestSecret = 16_384

    static func secret(in file: String) throws(QueryFailure) -> String {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, let bytes = try? readAll(from: descriptor, limit: longestSecret + 1) else {
            throw .settings("cannot read \(file) – check that it exists, and its permissions")
        }
        guard bytes.count <= longestSecret else {
            throw .settings("\(file) is longer than \(longestSecret) bytes – it must have only a token or password")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .settings("\(file) is not UTF-8") }
        let secret = text.trimmed
        guard !secret.isEmpty else { throw .settings("\(file) has no token or password") }
        guard !secret.unicodeScalars.contains(where: \.isControl) else {
            throw .settings("\(file) has several lines or control characters – it must have only a token or password")
        }
        return secret
    }

    private static func failure(_ error: Fetch.Error) -> QueryFailure {
        switch error {
        case .timeout, .expired: .unreachable("no answer in time")
        case .invalid(let problem), .file(let problem): .settings(problem)
        case .notHTTP: .notJSON("not HTTP – check the URL")
        case .tooLong: .tooLong
        default: .unreachable(error.description)
        }
    }
}

extension Fetch.Error {
    /// Whether the server may have received the request.
    fileprivate var isAfterRequest: Bool {
        switch self {
        case .timeout, .expired, .incomplete, .tooLong: true
        case .network(let error): [.reset, .closed].contains(error.reason)
        default: false
        }
    }
}

/// Passes the body of an answer to the reader, piece by piece, so that it is never in memory as a whole.
final class QuerySink: BodySink {
    private let limits: QueryResultReader.Limits
    private let reader: Mutex<QueryResultReader>

    init(_ limits: QueryResultReader.Limits) {
        self.limits = limits
        reader = Mutex(QueryResultReader(limits))
    }

    let committedBytes: Int64 = 0

    func begin(with head: Fetch.Response?) async throws(Fetch.Error) {
        discard()
    }

    func write(_ piece: [UInt8]) async throws(Fetch.Error) {
        let isTooLong = reader.withLock { reader in
            reader.append(piece[...])
            return reader.isTooLong
        }
        // Ends the connection: the rest, which may have no end, is not read.
        if isTooLong { throw .tooLong(limit: limits.bytes) }
    }

    func finish() async throws(Fetch.Error) {}

    func discard() {
        reader.withLock { $0 = QueryResultReader(limits) }
    }

    /// Returns the result. A response with a status outside 200 to 299 has its body itself.
    func finish(_ response: Fetch.Response) throws(QueryFailure) -> QueryResult {
        var reader = reader.withLock { $0 }
        if !(200...299).contains(response.status) { reader.append([UInt8](response.body)[...]) }
        return try reader.finish(httpStatus: response.status, isWhole: response.ending == .whole)
    }
}

/// Sends silences to Alertmanager, beside the loop, and reports the answers.
final class SilenceSender: Sendable {
    /// The answers; the stream has one consumer.
    let reports: AsyncStream<SilenceReport>
    private let report: AsyncStream<SilenceReport>.Continuation
    private let client: FleetClient
    private let time: ProgramTime

    init(client: FleetClient, time: ProgramTime) {
        (self.client, self.time) = (client, time)
        (reports, report) = AsyncStream.makeStream()
    }

    /// Sends a silence that begins now.
    func send(_ silence: Silence) {
        Task {
            let user = NSUserName()
            let request = SilenceRequest(silence, by: user.isEmpty ? "reach" : user, at: time.now, wall: time.wall)
            report.yield(SilenceReport(silence, await client.send(request, to: silence.server)))
        }
    }
}
