import NIOCore
import NIOPosix
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct HTTPTests {
    /// Returns the first outcome of a probe of `server`.
    private func outcome(
        of server: WebServer,
        path: String = "/",
        host: String = "127.0.0.1",
        timeout: Duration = .seconds(10),
        resolve: (@Sendable (String) -> Resolution)? = nil,
        _ options: HTTPOptions = HTTPOptions()
    ) async throws -> Outcome {
        let harness = EngineHarness(resolve: resolve)
        let question = HTTPQuestion(isSecure: false, host: host, port: server.port, path: path, options: options)
        harness.watch([.http(question)], interval: timeout, timeout: timeout)
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    private func reply(_ outcome: Outcome) throws -> Reply {
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        return reply
    }

    @Test func `the phases of a reply add up to the round trip`() async throws {
        let server = try await WebServer.on { request in
            .delay(.milliseconds(60), WebServer.answer("200 OK", request))
        }
        let reply = try reply(await outcome(of: server))
        #expect(reply.detail == "HTTP 200")
        #expect(reply.phases.map(\.phase) == [.connect, .processing, .transfer])
        #expect(reply.phases[1].duration >= .milliseconds(60))
        #expect(reply.phases.reduce(.zero) { $0 + $1.duration } == reply.roundTrip)
    }

    @Test func `a request has the configured method, path, fields and body`() async throws {
        let received = Mutex("")
        let server = try await WebServer.on { request in
            received.withLock { $0 = request }
            return .send(WebServer.answer("201 Created"))
        }
        let port = server.port
        let options = HTTPOptions(method: "PUT", headers: [.init(name: "X-A", value: "b")], bodySent: "data")
        _ = try reply(await outcome(of: server, path: "/x?y=1", options))
        let lines = received.withLock { $0 }.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "PUT /x?y=1 HTTP/1.1")
        let fields: Set = [
            "Host: 127.0.0.1:\(port)", "User-Agent: reach/\(ReachVersion.current)", "X-A: b", "Connection: close",
            "Content-Length: 4",
        ]
        #expect(fields.isSubset(of: Set(lines)), "\(lines)")
    }

    @Test func `an unexpected status is reported with its standard phrase`() async throws {
        let busy = try await WebServer.on { _ in .send(WebServer.answer("503 \u{1B}[31mnonsense", "x")) }
        let outcome503 = try await outcome(of: busy)
        #expect(outcome503 == .failure(Failure(.httpStatus, detail: "HTTP 503 Service Unavailable", httpStatus: 503)))
        let odd = try await WebServer.on { _ in .send(WebServer.answer("799 \u{1B}[31mnonsense", "x")) }
        #expect(try await outcome(of: odd) == .failure(Failure(.httpStatus, detail: "HTTP 799", httpStatus: 799)))
        let expected = try await WebServer.on { _ in .send(WebServer.answer("401 Unauthorized")) }
        #expect(try reply(await outcome(of: expected, HTTPOptions(status: [200, 401]))).detail == "HTTP 401")
        let other = try await WebServer.on { _ in .send(WebServer.ok("x")) }
        let named = Failure(.httpStatus, detail: "HTTP 200 OK, not 404, 500-502", httpStatus: 200)
        #expect(try await outcome(of: other, HTTPOptions(status: [404, 500, 501, 502])) == .failure(named))
    }

    @Test func `a body must match the pattern`() async throws {
        let right = try await WebServer.on { _ in .send(WebServer.ok("line\nstatus: ok\n")) }
        _ = try reply(await outcome(of: right, HTTPOptions(body: "status: (ok|fine)")))
        let wrong = try await WebServer.on { _ in .send(WebServer.ok("<h1>\u{1B}[2Jmaintenance, come back later</h1>"))
        }
        let failure = Failure(.httpBody, detail: #"no match in the body: "<h1>[2Jmaintenance, come…""#, httpStatus: 200)
        #expect(try await outcome(of: wrong, HTTPOptions(body: "^ok")) == .failure(failure))
        let empty = try await WebServer.on { _ in .send(WebServer.ok("")) }
        let none = Failure(.httpBody, detail: "no match in an empty body", httpStatus: 200)
        #expect(try await outcome(of: empty, HTTPOptions(body: "ok")) == .failure(none))
        let bad = try await WebServer.on()
        guard case .fault = try await outcome(of: bad, HTTPOptions(body: "(")) else {
            return #expect(Bool(false), "an invalid pattern is a fault")
        }
    }

    @Test func `redirects are followed up to the limit`() async throws {
        let answer: @Sendable (String) -> WebServer.Action = { request in
            guard let number = Int(request.dropFirst("GET /".count).prefix(1)), number > 0 else {
                return .send(WebServer.ok("here"))
            }
            return .send(WebServer.answer("302 Found", headers: "Location: \(number - 1)\r\n", "elsewhere"))
        }
        let options = HTTPOptions(body: "here", follow: 3)
        let reached = try reply(await outcome(of: WebServer.on(answer: answer), path: "/3", options))
        #expect(reached.phases.reduce(.zero) { $0 + $1.duration } == reached.roundTrip)
        let tooFar = try await outcome(of: WebServer.on(answer: answer), path: "/4", options)
        let limit = "HTTP 302 Found – redirects more than 3 times (follow = 3)"
        #expect(tooFar == .failure(Failure(.httpStatus, detail: limit, httpStatus: 302)))
        let unfollowed = try await outcome(of: WebServer.on(answer: answer), path: "/4")
        #expect(unfollowed == .failure(Failure(.httpStatus, detail: "HTTP 302 Found", httpStatus: 302)))
        let loop = try await WebServer.on { _ in .send(WebServer.answer("301 Moved", headers: "Location: /\r\n")) }
        let endless = try await outcome(of: loop, HTTPOptions(follow: 1))
        let once = "HTTP 301 Moved Permanently – redirects more than 1 time (follow = 1)"
        #expect(endless == .failure(Failure(.httpStatus, detail: once, httpStatus: 301)))
        let nowhere = try await WebServer.on { _ in
            .send(WebServer.answer("301 Moved", headers: "Location: ftp://x\r\n"))
        }
        let lost = try await outcome(of: nowhere, HTTPOptions(follow: 1))
        #expect(lost == .failure(Failure(.protocolError, detail: #"redirects to "ftp://x""#)))
    }

    @Test func `a redirect to another host resolves its name`() async throws {
        let other = try await WebServer.on()
        let location = "http://other.example:\(other.port)/"
        let answer: @Sendable (String) -> WebServer.Action = { _ in
            .send(WebServer.answer("308 Permanent Redirect", headers: "Location: \(location)\r\n"))
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

    @Test func `hanging lookups of redirect names do not delay other probes`() async throws {
        let hang = Hang()
        let number = Counter()
        let server = try await WebServer.on { request in
            guard request.hasPrefix("GET /away ") else { return .send(WebServer.ok("here")) }
            let location = "Location: http://hangs-\(number.next()).example/\r\n"
            return .send(WebServer.answer("302 Found", headers: location))
        }
        let harness = EngineHarness(resolve: { host in
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
        harness.watch(questions.map(Question.http), interval: .seconds(1), timeout: .milliseconds(500))
        let observations = await harness.observations { Set($0.map(\.target)).count == 32 }
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
        await harness.engine.shutdown()
        hang.end()
        try await server.close()
    }

    @Test func `a probe is retried up to the configured number`() async throws {
        let count = Counter()
        let server = try await WebServer.on { _ in count.next() < 3 ? .close : .send(WebServer.ok("at last")) }
        _ = try reply(await outcome(of: server, HTTPOptions(retries: 2)))
        let other = Counter()
        let once = try await WebServer.on { _ in other.next() < 3 ? .close : .send(WebServer.ok("at last")) }
        let outcome = try await outcome(of: once, HTTPOptions(retries: 1))
        #expect(outcome == .failure(Failure(.closed, detail: "closed without an answer")))
        #expect(other.next() == 3)
    }

    @Test func `a retry begins again with the first request, without the cookies of its redirects`() async throws {
        let count = Counter()
        let server = try await WebServer.on { request in
            switch count.next() {
            case 1: .send(WebServer.answer("302 Found", headers: "Location: /next\r\nSet-Cookie: a=b\r\n"))
            case 2: .close
            case 3 where request.hasPrefix("GET / ") && !request.contains("a=b"): .send(WebServer.ok("at last"))
            default: .close
            }
        }
        _ = try reply(await outcome(of: server, HTTPOptions(follow: 1, retries: 1)))
        #expect(count.next() == 4)
    }
}

/// A thread-safe counter.
private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

/// A process that was stopped discards its probes when the event loop is next entered. A discarded probe sends no
/// further request.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct HTTPStallTests {
    /// A prober whose probes are discarded at one entrance of the event loop after an event. Confined to its event loop.
    private final class StalledProber {
        private let isArmed: @Sendable () -> Bool
        private var remaining: Int
        private(set) var ended = 0
        private var prober: HTTPProber?

        init(
            on loop: any EventLoop,
            atEntrance number: Int,
            resolve: @escaping @Sendable (NameQuery) -> Resolution = Resolution.system,
            after isArmed: @escaping @Sendable () -> Bool
        ) {
            self.isArmed = isArmed
            remaining = number
            let start = ContinuousClock.now
            let environment = ProberEnvironment(
                gate: LoopGate(loop),
                resolve: resolve,
                time: { ContinuousClock.now - start },
                report: { [unowned self] in if case .ended = $0 { ended += 1 } }
            )
            prober = HTTPProber(environment)
            environment.gate.onEntry { [weak self] in self?.enter() }
        }

        private func enter() {
            guard remaining > 0, isArmed() else { return }
            remaining -= 1
            if remaining == 0 { prober?.discardInFlight(at: .zero) }
        }

        func send(to port: UInt16, _ options: HTTPOptions) {
            let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: port, path: "/", options: options)
            let probe = Probe(
                target: Target.ID(0),
                watch: 1,
                sequence: 1,
                question: .http(question),
                timeout: .seconds(60),
                made: .zero,
                address: IPAddress(ipv4: 0x7F00_0001)
            )
            prober?.send(probe)
        }
    }

    /// The number of requests, and of reports, some time after a stall that is noticed at one entrance after the first
    /// request.
    private func counts(
        atEntrance number: Int,
        _ options: HTTPOptions,
        answer: @escaping @Sendable (UInt16) -> String,
        after isArmed: (@Sendable () -> Bool)? = nil,
        resolve: @escaping @Sendable (NameQuery) -> Resolution = Resolution.system
    ) async throws -> (requests: Int, reports: Int) {
        let requests = Counter()
        let port = Counter()
        let server = try await WebServer.on { _ in
            requests.add(1)
            return .send(answer(UInt16(port.value)))
        }
        port.add(Int(server.port))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let prober = try await loop.submit {
            let prober = StalledProber(
                on: loop,
                atEntrance: number,
                resolve: resolve,
                after: isArmed ?? { requests.value > 0 }
            )
            prober.send(to: server.port, options)
            return NIOLoopBound(prober, eventLoop: loop)
        }.get()
        // Three times the delay of a retry.
        let pause = TimeAmount.nanoseconds(HTTPProber.retryDelay.nanoseconds * 3)
        let reports = try await loop.scheduleTask(in: pause) { prober.value.ended }.futureResult.get()
        try await server.close()
        return (requests.value, reports)
    }

    @Test(arguments: 1...3)
    func `a stall while a request ends starts no retry`(entrance: Int) async throws {
        let options = HTTPOptions(method: "POST", retries: 5)
        let counts = try await counts(atEntrance: entrance, options) { _ in WebServer.answer("500 No") }
        #expect(counts.requests == 1)
        #expect(counts.reports == 0)
    }

    @Test func `a stall during the lookup of a redirect starts no request`() async throws {
        let lookups = Counter()
        let counts = try await counts(
            atEntrance: 1,
            HTTPOptions(follow: 1),
            answer: { WebServer.answer("302 Found", headers: "Location: http://other.test:\($0)/\r\n") },
            after: { lookups.value > 0 },
            resolve: { _ in
                lookups.add(1)
                return .addresses([IPAddress(ipv4: 0x7F00_0001)])
            }
        )
        #expect(lookups.value == 1)
        #expect(counts.requests == 1)
        #expect(counts.reports == 0)
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock(\.self) }

        func add(_ number: Int) { count.withLock { $0 += number } }
    }
}
