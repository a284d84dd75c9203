import AsyncHTTPClient
import Monitoring
import NIOCore
import NIOHTTP1

/// One try of a request, from the look-up of the name to the end of the answer.
struct Try: Sendable {
    let request: FetchRequest
    let client: HTTPClient
    /// The time in seconds since 1970.
    let now: @Sendable () -> Int64

    /// Sends the request and reads the answer, for as long as the request allows.
    @concurrent
    func outcome() async -> FetchOutcome {
        await withTaskGroup(of: FetchOutcome?.self) { group in
            group.addTask { await exchange() }
            group.addTask {
                // The client's own deadline ends with the answer's head. A suspended machine does not wear this one out.
                try? await Task.sleep(for: request.timeout, clock: .suspending)
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

    private func exchange() async -> FetchOutcome {
        do {
            let response = try await client.execute(clientRequest, deadline: .distantFuture)
            return .answer(await answer(response))
        } catch {
            return FetchOutcome(error)
        }
    }

    private var clientRequest: HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for header in request.headers { outgoing.headers.add(name: header.name, value: header.value) }
        if !outgoing.headers.contains(name: "User-Agent") {
            outgoing.headers.add(name: "User-Agent", value: "reach/0.1")
        }
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(string: body)) }
        return outgoing
    }

    private func answer(_ response: HTTPClientResponse) async -> FetchAnswer {
        let (body, ending) = await read(response.body)
        let retryAfter = response.headers.first(name: "Retry-After")
            .flatMap { Duration(retryAfter: $0, date: response.headers.first(name: "Date"), now: now()) }
        return FetchAnswer(
            status: Int(response.status.code),
            headers: response.headers.map { HTTPOptions.Header(name: $0.name, value: $0.value) },
            body: body,
            ending: ending,
            retryAfter: retryAfter
        )
    }

    /// Reads a body up to its bound; leaving the rest unread closes the connection.
    private func read(_ body: HTTPClientResponse.Body) async -> ([UInt8], FetchAnswer.Ending) {
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                bytes += chunk.readableBytesView.prefix(request.longestBody - bytes.count)
                if bytes.count >= request.longestBody { return (bytes, .cut) }
            }
            return (bytes, .whole)
        } catch {
            guard case .failure(let failure) = FetchOutcome(error) else { return (bytes, .lost(Failure(.closed))) }
            return (bytes, .lost(failure))
        }
    }
}
