#if Fetch

import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import ReachMonitoring
import ReachProbing
import ReachSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request and its response, from the name lookup to the end of the body.
struct FetchExchange: Sendable {
    let request: Fetch.Request
    /// A client that opens a connection for each request.
    let client: HTTPClient
    /// A client that keeps connections, for a request that may be sent twice; nil otherwise.
    let pool: HTTPClient?
    /// A client that also offers HTTP/2, for a request by TLS that may be sent twice; nil otherwise.
    let alternative: HTTPClient?
    let route: RequestRoute
    /// The destination of the body of a good response; nil to keep it in memory, up to the limit.
    let sink: (any BodySink)?
    /// The deadlines that bytes of the server restart.
    let deadlines: RunningDeadlines
    /// Whether ``PeerCheckHandler`` checks the server.
    let checksPeer: Bool
    /// How the reason is found why the server is not trusted; nil where it cannot be.
    let inspection: Inspection?
    /// The time in seconds since 1970.
    let now: @Sendable () -> Int64
    /// Called for the progress of the body of a good response.
    let onEvent: @Sendable (Fetch.Event) -> Void

    /// The parameters of ``ReachProbing/PeerInspection``.
    struct Inspection: Sendable {
        let authorities: AuthorityFiles
        let group: any EventLoopGroup
    }

    /// How the request continues a body; nil at another URL than that of the first part, as after a redirect.
    private var resumption: Resumption? {
        request.resumption.flatMap { $0.url == request.url ? $0 : nil }
    }

    /// Sends the request and reads the response within the request's timeout.
    @concurrent
    func response() async throws(Fetch.Error) -> Fetch.Response {
        let deadline = Deadline(of: request)
        // The client's own deadline covers only the head of the response.
        let (result, isLate) = await withLimit({ await deadline.wait() }) {
            await Result { () async throws(Fetch.Error) in try await exchange(deadline) }
        }
        // A whole body may have its place in a file already, so it counts in any case.
        if case .success(let response) = result, response.ending == .whole { return response }
        if Task.isCancelled { throw .cancelled }
        guard isLate else { return try result.get() }
        guard case .success(var response) = result else { throw .timeout }
        if case .lost = response.ending, !response.ending.refusesResumption { response.ending = .timeout }
        return response
    }

    private func exchange(_ deadline: Deadline) async throws(Fetch.Error) -> Fetch.Response {
        let name = deadlines.add(deadline)
        defer {
            let connectTimeout = HTTPTransport.connectTimeout(within: request.timeout)
            deadlines.remove(name, leaving: Task.isCancelled ? connectTimeout : nil)
        }
        let response: HTTPClientResponse
        do {
            response = try await execute(deadline, named: name)
        } catch {
            let problem = Fetch.Error(client: error)
            guard problem.failure == .untrustedPeer, let failure = await inspectPeer() else { throw problem }
            throw Fetch.Error(failure)
        }
        deadline.restart()
        return try await read(response, deadline)
    }

    /// Returns why a probe rejects the certificates of the server. The HTTP client reports only that they are not trusted.
    private func inspectPeer() async -> Failure? {
        guard let inspection, let question = request.question else { return nil }
        return await PeerInspection.failure(
            of: question.host,
            port: question.port,
            trusting: inspection.authorities,
            on: inspection.group
        )
    }

    /// Sends the request by HTTP/1.1. When the server closes the connection without an answer, as one does that speaks only
    /// HTTP/2, the request is sent again at once, with an offer of HTTP/2.
    private func execute(_ deadline: Deadline, named name: String) async throws -> HTTPClientResponse {
        do {
            return try await executeByHTTP1(deadline, named: name)
        } catch {
            guard let alternative, case .network(let closed) = Fetch.Error(client: error),
                [.closed, .reset].contains(closed.reason) || closed.failure.isRefusedProtocol
            else { throw error }
            deadline.restart()
            let outgoing = clientRequest(deadline, named: nil)
            // A server that does not speak HTTP/2 either has the first error.
            guard let response = try? await alternative.execute(outgoing, deadline: .distantFuture) else { throw error }
            return response
        }
    }

    /// Sends the request on a kept connection where that is permitted. When the server has just closed it, the request
    /// is sent again at once, on a new connection.
    private func executeByHTTP1(_ deadline: Deadline, named name: String) async throws -> HTTPClientResponse {
        let outgoing = clientRequest(deadline, named: name)
        guard let pool else { return try await client.execute(outgoing, deadline: .distantFuture) }
        do {
            return try await pool.execute(outgoing, deadline: .distantFuture)
        } catch  where Self.isLostWithKeptConnection(error) {
            deadline.restart()
            return try await client.execute(outgoing, deadline: .distantFuture)
        }
    }

    private static func isLostWithKeptConnection(_ error: any Error) -> Bool {
        switch error {
        case let error as UnansweredRequest: error.isReused
        // The connection was closed before the request was written: a request that was written has the error above.
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as ChannelError: error == .ioOnClosedChannel
        default: false
        }
    }

    /// - Parameter name: the value of the field that names the deadline; nil by HTTP/2, where no handler removes such fields.
    private func clientRequest(_ deadline: Deadline, named name: String?) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        if !outgoing.headers.contains(name: "User-Agent") {
            outgoing.headers.add(name: "User-Agent", value: HTTPOptions.userAgent)
        }
        for field in resumption?.fields ?? [] { outgoing.headers.add(name: field.name, value: field.value) }
        if let name {
            // The handlers of connections by HTTP/1.1 remove these fields.
            outgoing.headers.add(name: RunningDeadlines.field, value: name)
            if checksPeer, let question = request.question {
                outgoing.headers.add(name: PeerCheckHandler.field, value: question.host)
            }
        }
        if let body = request.body {
            let length = body.length
            let pieces = BodyPieces(
                body: body,
                onRead: { deadline.restart() },
                onPiece: { [onEvent] in onEvent(.sent($0, of: length)) }
            )
            outgoing.body = .stream(pieces, length: .known(length))
        }
        route.prepare(&outgoing)
        return outgoing
    }

    private func read(
        _ response: HTTPClientResponse,
        _ deadline: Deadline
    ) async throws(Fetch.Error) -> Fetch.Response {
        let retryAfter = response.headers.first(name: "Retry-After")
            .flatMap { Duration(retryAfter: $0, date: response.headers.first(name: "Date"), now: now()) }
        let head = Fetch.Response(
            status: Int(response.status.code),
            headers: HTTPFields(
                response.headers.compactMap { name, value in
                    HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
                }
            ),
            retryAfter: retryAfter
        )
        if let coding = unsupportedCoding(of: response) { return head.with([], .unsupportedCoding(coding)) }
        guard (200...299).contains(head.status) else {
            let (body, ending) = try await keep(response.body, deadline)
            return head.with(body, ending, BodyProgress(count: Int64(body.count), of: length(of: response)))
        }
        // A server sends a part only of what a Range names (RFC 9110 §15.3.7).
        var restLength: Int64?
        if head.status == 206, request.headers[.range] == nil {
            restLength = resumption?.restLength(in: head.headers)
            guard restLength != nil else { return head.with([], .unrequestedPart) }
        }
        let length = restLength ?? length(of: response)
        onEvent(.receiving(length: length))
        guard let sink else {
            let (body, ending) = try await keep(response.body, deadline) { onEvent(.received($0, of: length)) }
            return head.with(body, ending, BodyProgress(count: Int64(body.count), of: length))
        }
        if restLength == nil {
            guard sink.canRestart else { return head.with([], .otherBody) }
            try await sink.begin(with: head)
        }
        let start = restLength == nil ? 0 : resumption?.offset ?? 0
        let whole = length.map { start + $0 }
        var received = start
        let ending = try await write(response.body, restLength, to: sink, deadline) { count in
            received = start + count
            onEvent(.received(received, of: whole))
        }
        return head.with([], ending, BodyProgress(count: received, of: whole))
    }

    /// The length of the body as it is received; nil if it is unknown.
    private func length(of response: HTTPClientResponse) -> Int64? {
        guard request.method != "HEAD" else { return nil }
        // The length of a compressed body.
        if request.isDecompressed, response.headers.contains(name: "Content-Encoding") { return nil }
        return response.headers.first(name: "Content-Length").flatMap { Int64($0) }
    }

    /// The codings of a body that has to be decompressed and cannot be: `br`. Nil for any other body.
    private func unsupportedCoding(of response: HTTPClientResponse) -> String? {
        guard request.isDecompressed, request.method != "HEAD", ![204, 304].contains(response.status.code),
            response.headers.first(name: "Content-Length") != "0"
        else { return nil }
        let codings = response.headers[canonicalForm: "Content-Encoding"].map { $0.lowercased() }
        if codings.allSatisfy({ $0.isEmpty || $0 == "identity" }) || [["gzip"], ["deflate"]].contains(codings) {
            return nil
        }
        return codings.joined(separator: ", ")
    }

    /// Writes a body to the sink, piece by piece. The next piece is read once this one is written.
    ///
    /// - Parameters:
    ///   - length: the number of bytes of the rest of a body that was cut off; nil for a whole body. Bytes beyond it are
    ///     not written.
    ///   - onCount: called with the number of bytes so far after each piece.
    private func write(
        _ body: HTTPClientResponse.Body,
        _ length: Int64?,
        to sink: any BodySink,
        _ deadline: Deadline,
        onCount: (Int64) -> Void
    ) async throws(Fetch.Error) -> Fetch.Response.BodyEnding {
        var count: Int64 = 0
        var pieces = body.makeAsyncIterator()
        var missing = length
        while true {
            let piece: ByteBuffer?
            do { piece = try await pieces.next() } catch { return try Self.ending(error) }
            deadline.pause()
            guard let piece else { break }
            // From the beginning of a compressed body.
            guard piece.readableBytes > 0 else {
                deadline.restart()
                continue
            }
            if let rest = missing {
                guard piece.readableBytes <= rest else { return .unrequestedPart }
                missing = rest - Int64(piece.readableBytes)
            }
            try await sink.write(Array(piece.readableBytesView))
            count += Int64(piece.readableBytes)
            onCount(count)
            deadline.restart()
        }
        if let missing, missing > 0 { return .lost(Fetch.TransportError(.closed)) }
        try await sink.finish()
        return .whole
    }

    /// Reads a body up to its limit. Leaving the rest unread closes the connection.
    ///
    /// - Parameter onCount: called with the number of bytes so far after each piece.
    /// - Throws: ``Fetch/Error/tooLong(limit:)`` for the limit of decompressed bodies.
    private func keep(
        _ body: HTTPClientResponse.Body,
        _ deadline: Deadline,
        onCount: (Int64) -> Void = { _ in }
    ) async throws(Fetch.Error) -> ([UInt8], Fetch.Response.BodyEnding) {
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                deadline.restart()
                guard chunk.readableBytes > 0 else { continue }
                let piece = chunk.readableBytesView.prefix(request.maximumBodySize - bytes.count)
                bytes += piece
                onCount(Int64(bytes.count))
                if piece.count < chunk.readableBytes { return (bytes, .truncated) }
            }
            return (bytes, .whole)
        } catch {
            return (bytes, try Self.ending(error))
        }
    }

    /// The ending of a body for an error of the client.
    ///
    /// - Throws: ``Fetch/Error/tooLong(limit:)`` for the limit of decompressed bodies.
    private static func ending(_ error: any Error) throws(Fetch.Error) -> Fetch.Response.BodyEnding {
        let error = Fetch.Error(client: error)
        if case .tooLong = error { throw error }
        return .lost(Fetch.TransportError(error.failure ?? Failure(.closed)))
    }
}

extension Fetch.Response.BodyEnding {
    /// The ending of a body of which the server sends a part that was not requested.
    fileprivate static let unrequestedPart = Self.lost(
        Fetch.TransportError(.protocolError, detail: "only a part of the body, which was not requested")
    )
    /// The ending of a body that cannot follow what was written of another one.
    fileprivate static let otherBody = Self.lost(
        Fetch.TransportError(.protocolError, detail: "the body is not the one whose beginning was written")
    )

    /// The ending of a body that has to be decompressed and cannot be.
    fileprivate static func unsupportedCoding(_ coding: String) -> Self {
        let name = String(coding.prefix(40))
        return .lost(Fetch.TransportError(.protocolError, detail: "the body is compressed (\(name))"))
    }

    /// Whether the server does not continue a body where it was cut off.
    var refusesResumption: Bool { self == .unrequestedPart || self == .otherBody }
}

extension Fetch.Response {
    fileprivate func with(_ body: [UInt8], _ ending: BodyEnding, _ progress: BodyProgress? = nil) -> Fetch.Response {
        var response = Fetch.Response(
            status: status,
            headers: headers,
            body: Data(body),
            ending: ending,
            retryAfter: retryAfter
        )
        if ending != .whole { response.progress = progress }
        return response
    }
}

extension Result {
    /// The result of a body: its value or its error.
    init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

#endif
