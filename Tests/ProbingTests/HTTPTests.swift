import Monitoring
import NIOCore
import Synchronization
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct HTTPTests {
    /// The first outcome of a request to `server`.
    private func outcome(
        of server: WebServer,
        path: String = "/",
        host: String = "127.0.0.1",
        timeout: Duration = .seconds(10),
        resolve: (@Sendable (String) -> Resolution)? = nil,
        _ options: HTTPOptions = HTTPOptions()
    ) async throws -> Outcome {
        let tower = Watchtower(resolve: resolve)
        let question = HTTPQuestion(isSecure: false, host: host, port: server.port, path: path, options: options)
        tower.watch([.http(question)], interval: timeout, timeout: timeout)
        let observation = try #require(await tower.observations(1).first)
        await tower.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    private func reply(_ outcome: Outcome) throws -> Reply {
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        return reply
    }

    @Test func `a server that answers replies, in parts that add up`() async throws {
        let server = try await WebServer.on { request in
            .delay(.milliseconds(60), WebServer.answer("200 OK", request))
        }
        let reply = try reply(await outcome(of: server))
        #expect(reply.detail == "HTTP 200")
        #expect(reply.phases.map(\.phase) == [.connect, .processing, .transfer])
        #expect(reply.phases[1].duration >= .milliseconds(60))
        #expect(reply.phases.reduce(.zero) { $0 + $1.duration } == reply.roundTrip)
    }

    @Test func `what is asked is what was configured`() async throws {
        let heard = Mutex("")
        let server = try await WebServer.on { request in
            heard.withLock { $0 = request }
            return .say(WebServer.answer("201 Created"))
        }
        let port = server.port
        let options = HTTPOptions(method: "PUT", headers: [.init(name: "X-A", value: "b")], bodySent: "data")
        _ = try reply(await outcome(of: server, path: "/x?y=1", options))
        let lines = heard.withLock { $0 }.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "PUT /x?y=1 HTTP/1.1")
        let fields: Set = [
            "Host: 127.0.0.1:\(port)", "User-Agent: reach/0.1", "X-A: b", "Connection: close", "Content-Length: 4",
        ]
        #expect(fields.isSubset(of: Set(lines)), "\(lines)")
    }

    @Test func `an unexpected status is told by its number and words`() async throws {
        let busy = try await WebServer.on { _ in .say(WebServer.answer("503 \u{1B}[31mnonsense", "x")) }
        let outcome503 = try await outcome(of: busy)
        #expect(outcome503 == .failure(Failure(.httpStatus, detail: "HTTP 503 Service Unavailable", httpStatus: 503)))
        let odd = try await WebServer.on { _ in .say(WebServer.answer("799 \u{1B}[31mnonsense", "x")) }
        #expect(try await outcome(of: odd) == .failure(Failure(.httpStatus, detail: "HTTP 799", httpStatus: 799)))
        let expected = try await WebServer.on { _ in .say(WebServer.answer("401 Unauthorized")) }
        #expect(try reply(await outcome(of: expected, HTTPOptions(status: [200, 401]))).detail == "HTTP 401")
    }

    @Test func `a body has to match`() async throws {
        let right = try await WebServer.on { _ in .say(WebServer.ok("line\nstatus: ok\n")) }
        _ = try reply(await outcome(of: right, HTTPOptions(body: "status: (ok|fine)")))
        let wrong = try await WebServer.on { _ in .say(WebServer.ok("<h1>\u{1B}[2Jmaintenance, come back later</h1>")) }
        let failure = Failure(.httpBody, detail: #"no match in the body: "<h1>[2Jmaintenance, come…""#, httpStatus: 200)
        #expect(try await outcome(of: wrong, HTTPOptions(body: "^ok")) == .failure(failure))
        let empty = try await WebServer.on { _ in .say(WebServer.ok("")) }
        let none = Failure(.httpBody, detail: "no match in an empty body", httpStatus: 200)
        #expect(try await outcome(of: empty, HTTPOptions(body: "ok")) == .failure(none))
        let bad = try await WebServer.on()
        guard case .fault = try await outcome(of: bad, HTTPOptions(body: "(")) else {
            return #expect(Bool(false), "a bad pattern is our trouble")
        }
    }

    @Test func `redirects are followed as far as is wanted`() async throws {
        let answer: @Sendable (String) -> WebServer.Deed = { request in
            guard let number = Int(request.dropFirst("GET /".count).prefix(1)), number > 0 else {
                return .say(WebServer.ok("here"))
            }
            return .say(WebServer.answer("302 Found", headers: "Location: \(number - 1)\r\n", "elsewhere"))
        }
        let options = HTTPOptions(body: "here", follow: 3)
        let reached = try reply(await outcome(of: WebServer.on(answer: answer), path: "/3", options))
        #expect(reached.phases.reduce(.zero) { $0 + $1.duration } == reached.roundTrip)
        let tooFar = try await outcome(of: WebServer.on(answer: answer), path: "/4", options)
        let limit = "HTTP 302 Found – redirects more than 3 times (follow = 3)"
        #expect(tooFar == .failure(Failure(.httpStatus, detail: limit, httpStatus: 302)))
        let unfollowed = try await outcome(of: WebServer.on(answer: answer), path: "/4")
        #expect(unfollowed == .failure(Failure(.httpStatus, detail: "HTTP 302 Found", httpStatus: 302)))
        let loop = try await WebServer.on { _ in .say(WebServer.answer("301 Moved", headers: "Location: /\r\n")) }
        let endless = try await outcome(of: loop, HTTPOptions(follow: 1))
        let once = "HTTP 301 Moved Permanently – redirects more than 1 time (follow = 1)"
        #expect(endless == .failure(Failure(.httpStatus, detail: once, httpStatus: 301)))
        let nowhere = try await WebServer.on { _ in
            .say(WebServer.answer("301 Moved", headers: "Location: ftp://x\r\n"))
        }
        let lost = try await outcome(of: nowhere, HTTPOptions(follow: 1))
        #expect(lost == .failure(Failure(.protocolError, detail: #"redirects to "ftp://x""#)))
    }

    @Test func `a redirect to another host resolves its name`() async throws {
        let other = try await WebServer.on()
        let location = "http://other.example:\(other.port)/"
        let answer: @Sendable (String) -> WebServer.Deed = { _ in
            .say(WebServer.answer("308 Permanent Redirect", headers: "Location: \(location)\r\n"))
        }
        let resolve: @Sendable (String) -> Resolution = { host in
            host == "first.example" || host == "other.example"
                ? Resolution.system("127.0.0.1") : .failure(Failure(.nameNotFound))
        }
        let options = HTTPOptions(follow: 1)
        let first = try await WebServer.on(answer: answer)
        let reply = try reply(await outcome(of: first, host: "first.example", resolve: resolve, options))
        #expect(reply.phases.first?.phase == .resolve)
        let sum = reply.phases.dropFirst().reduce(.zero) { $0 + $1.duration }
        #expect(sum == reply.roundTrip)
        let failure = Failure(.nameNotFound, detail: "not this one")
        let lost = try await outcome(
            of: WebServer.on(answer: answer),
            resolve: { _ in .failure(failure) },
            options
        )
        #expect(lost == .failure(failure))
        try await other.close()
    }

    @Test func `redirects to names that are never answered delay nobody`() async throws {
        let hang = Hang()
        let number = Counter()
        let server = try await WebServer.on { request in
            guard request.hasPrefix("GET /away ") else { return .say(WebServer.ok("here")) }
            let location = "Location: http://hangs-\(number.next()).example/\r\n"
            return .say(WebServer.answer("302 Found", headers: location))
        }
        let tower = Watchtower(resolve: { host in
            guard host.hasPrefix("hangs") else { return Resolution.system("127.0.0.1") }
            hang.wait()
            return .failure(Failure(.resolverFailed))
        })
        let questions = (0..<32).map { index in
            let path = index < 24 ? "/away" : "/"
            let options = HTTPOptions(follow: 1)
            let host = "name\(index)"
            return HTTPQuestion(isSecure: false, host: host, port: server.port, path: path, options: options)
        }
        tower.watch(questions.map(Question.http), interval: .seconds(1), timeout: .milliseconds(500))
        let observations = await tower.observations { Set($0.map(\.target)).count == 32 }
        for observation in observations {
            switch observation.outcome {
            case .reply: #expect(observation.target.rawValue >= 24)
            case .timeout: #expect(observation.target.rawValue < 24)
            case let outcome:
                #expect(observation.target.rawValue < 24)
                let detail = "too many redirects wait for the resolver"
                #expect(outcome == .failure(Failure(.resolverFailed, detail: detail)))
            }
        }
        await tower.engine.shutdown()
        hang.end()
        try await server.close()
    }

    @Test func `a probe asks again only where it may`() async throws {
        let count = Counter()
        let server = try await WebServer.on { _ in count.next() < 3 ? .close : .say(WebServer.ok("at last")) }
        _ = try reply(await outcome(of: server, HTTPOptions(retries: 2)))
        let other = Counter()
        let once = try await WebServer.on { _ in other.next() < 3 ? .close : .say(WebServer.ok("at last")) }
        let outcome = try await outcome(of: once, HTTPOptions(retries: 1))
        #expect(outcome == .failure(Failure(.closed, detail: "closed without an answer")))
        #expect(other.next() == 3)
    }
}

/// A count that closures share.
private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
