import Fleet
import Foundation
import Logging
import Monitoring
import ReachKit

/// Sends the queries about the fleet by HTTP. It keeps the connections to each server.
actor FleetClient {
    private var transports: [ServerCredentials: HTTPTransport] = [:]
    private let environment: [String: String]
    private let now: @Sendable () -> Int64
    private let logger: Logger
    /// The longest request line. Longer queries are sent in a body, which no cache and no log line has.
    private static let longestURL = 4_000
    /// The longest time until the answer to a silence.
    private static let silenceTimeout = Duration.seconds(10)

    /// - Parameters:
    ///   - environment: the variables that name proxies.
    ///   - now: the time in seconds since 1970.
    init(environment: [String: String], now: @escaping @Sendable () -> Int64, logger: Logger) {
        (self.environment, self.now, self.logger) = (environment, now, logger)
    }

    /// Sends a request and reads the answer while it arrives.
    nonisolated func send(
        _ request: QueryRequest,
        to server: PrometheusSettings
    ) async -> Result<QueryResult, QueryFailure> {
        let transport = await transport(for: server.credentials)
        let sink = QuerySink(request.limits)
        do throws(QueryFailure) {
            let outgoing = try Self.outgoing(request, to: server)
            let response: Fetch.Response
            do throws(Fetch.Error) {
                response = try await transport.send(outgoing, into: sink)
            } catch {
                throw Self.failure(error)
            }
            return .success(try sink.finish(response))
        } catch {
            return .failure(error)
        }
    }

    /// Creates a silence. It is sent once, and to no other server: a redirect is a failure.
    nonisolated func send(_ request: SilenceRequest, to server: AlertmanagerSettings) async -> SilenceReport.Answer {
        let transport = await transport(for: server.credentials)
        do throws(QueryFailure) {
            var headers: HTTPFields = [.accept: "application/json", .contentType: "application/json"]
            if let authorization = try Self.authorization(server.credentials) {
                headers[.authorization] = authorization
            }
            var outgoing = Fetch.Request(
                server.url + SilenceRequest.path,
                method: "POST",
                headers: headers,
                body: .text(request.body),
                redirectLimit: 0,
                timeout: Self.silenceTimeout,
                maximumBodySize: SilenceRequest.longestAnswer
            )
            outgoing.limitsWholeTry = true
            do throws(Fetch.Error) {
                let response = try await transport.send(outgoing)
                return SilenceRequest.answer(Array(response.body), httpStatus: response.status)
            } catch {
                throw Self.failure(error)
            }
        } catch {
            return .failed(error.text)
        }
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

    private static func outgoing(
        _ request: QueryRequest,
        to server: PrometheusSettings
    ) throws(QueryFailure) -> Fetch.Request {
        var headers: HTTPFields = [.accept: "application/json", .acceptEncoding: "gzip"]
        if let authorization = try authorization(server.credentials) { headers[.authorization] = authorization }
        let parameters = request.parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        let url = server.url + request.path
        let isShort = url.utf8.count + parameters.utf8.count < longestURL
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

    /// The value of the header field, from the files of the credentials as they are now.
    private static func authorization(_ credentials: ServerCredentials) throws(QueryFailure) -> String? {
        if let file = credentials.tokenFile { return "Bearer \(try secret(in: file))" }
        guard let user = credentials.user else { return nil }
        let password = try credentials.passwordFile.map { file throws(QueryFailure) in try secret(in: file) } ?? ""
        return "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }

    /// The longest secret, in bytes.
    private static let longestSecret = 16_384

    private static func secret(in file: String) throws(QueryFailure) -> String {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw .settings("cannot read \(file) – check that it exists, and its permissions")
        }
        guard data.count <= longestSecret, let text = String(data: data, encoding: .utf8) else {
            throw .settings("\(file) has no token or password")
        }
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty, !secret.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw .settings("\(file) has no token or password")
        }
        return secret
    }

    private static func failure(_ error: Fetch.Error) -> QueryFailure {
        switch error {
        case .timeout, .expired: .unreachable("no answer in time")
        case .invalid(let problem), .file(let problem): .settings(problem)
        case .notHTTP: .notJSON("not HTTP – check the URL")
        default: .unreachable(error.description)
        }
    }
}
