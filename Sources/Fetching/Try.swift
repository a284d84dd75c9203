import AsyncHTTPClient
import Monitoring
import NIOCore
import NIOHTTP1

/// One try of a request, from the look-up of the name to the end of the answer.
struct Try: Sendable {
    let request: FetchRequest
    let client: HTTPClient
    let route: Route
    /// Where the body of a good answer goes; without one, its beginning is kept.
    let sink: (any BodySink)?
    /// The time in seconds since 1970.
    let now: @Sendable () -> Int64

    /// Sends the request and reads the answer, for as long as the request allows.
    @concurrent
    func outcome() async -> FetchOutcome {
        let deadline = Deadline(of: request)
        return await withTaskGroup(of: FetchOutcome?.self) { group in
            group.addTask { await exchange(deadline) }
            group.addTask {
                // The client's own deadline ends with the answer's head.
                await deadline.pass()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if Task.isCancelled { return .cancelled }
            if let first { return first }
            return (await group.next() ?? nil).map(Self.cutShort) ?? .timeout
        }
    }

    /// What the end of the time makes of a try.
    private static func cutShort(_ outcome: FetchOutcome) -> FetchOutcome {
        guard case .answer(var answer) = outcome else { return .timeout }
        if case .lost = answer.ending { answer.ending = .timeout }
        return .answer(answer)
    }

    private func exchange(_ deadline: Deadline) async -> FetchOutcome {
        do {
            let response = try await client.execute(clientRequest(deadline), deadline: .distantFuture)
            deadline.restart()
            return .answer(try await answer(response, deadline))
        } catch let problem as FileProblem {
            return .fault(Fault(.internal, detail: problem.description))
        } catch {
            return FetchOutcome(error)
        }
    }

    private func clientRequest(_ deadline: Deadline) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for header in request.headers { outgoing.headers.add(name: header.name, value: header.value) }
        if !outgoing.headers.contains(name: "User-Agent") {
            outgoing.headers.add(name: "User-Agent", value: "reach/0.1")
        }
        if let body = request.body {
            let pieces = RequestBody.Pieces(parts: body.parts, onPiece: { deadline.restart() })
            outgoing.body = .stream(pieces, length: .known(body.length))
        }
        route.address(&outgoing)
        return outgoing
    }

    private func answer(
        _ response: HTTPClientResponse,
        _ deadline: Deadline
    ) async throws(FileProblem) -> FetchAnswer {
        let status = Int(response.status.code)
        var (kept, ending) = ([UInt8](), FetchAnswer.Ending.whole)
        if let sink, (200...299).contains(status) {
            let length = request.method == "HEAD" ? nil : response.headers.first(name: "Content-Length")
            try await sink.begin(length: length.flatMap { Int64($0) })
            ending = try await pass(response.body, to: sink, deadline)
        } else {
            (kept, ending) = await read(response.body, deadline)
        }
        let retryAfter = response.headers.first(name: "Retry-After")
            .flatMap { Duration(retryAfter: $0, date: response.headers.first(name: "Date"), now: now()) }
        return FetchAnswer(
            status: status,
            headers: response.headers.map { HTTPOptions.Header(name: $0.name, value: $0.value) },
            body: kept,
            ending: ending,
            retryAfter: retryAfter
        )
    }

    /// Hands a body on, as fast as it is taken.
    private func pass(
        _ body: HTTPClientResponse.Body,
        to sink: any BodySink,
        _ deadline: Deadline
    ) async throws(FileProblem) -> FetchAnswer.Ending {
        var pieces = body.makeAsyncIterator()
        while true {
            let piece: ByteBuffer?
            do { piece = try await pieces.next() } catch { return Self.ending(error) }
            deadline.pause()
            guard let piece else { break }
            try await sink.take(Array(piece.readableBytesView))
            deadline.restart()
        }
        try await sink.end()
        return .whole
    }

    /// Reads a body up to its bound; leaving the rest unread closes the connection.
    private func read(
        _ body: HTTPClientResponse.Body,
        _ deadline: Deadline
    ) async -> ([UInt8], FetchAnswer.Ending) {
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                deadline.restart()
                bytes += chunk.readableBytesView.prefix(request.longestBody - bytes.count)
                if bytes.count >= request.longestBody { return (bytes, .cut) }
            }
            return (bytes, .whole)
        } catch {
            return (bytes, Self.ending(error))
        }
    }

    /// What an error in the middle of a body says.
    private static func ending(_ error: any Error) -> FetchAnswer.Ending {
        guard case .failure(let failure) = FetchOutcome(error) else { return .lost(Failure(.closed)) }
        return .lost(failure)
    }
}
