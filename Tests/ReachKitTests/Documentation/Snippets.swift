// The code of the articles, the documentation comments and docs/reachkit.md that is not in Examples/. It is compiled
// and never run, but for the test at the end. DocumentationTests compares.
import Foundation
import Logging
import NIOCore
import ReachKit
import ReachKitTesting
import Testing

/// The code blocks of the documentation, each in a context in which it compiles.
enum Snippets {
    static func pages(backUp: @escaping @Sendable () async throws -> Int) async throws {
        let nas = Reachability(of: "nas.local:445")
        print(await nas.check())  // unreachable: refused

        let backup = nas.whenReachable(within: .seconds(3_600)) { try await backUp() }
        if case .performed(let size) = try await backup.value { print("\(size) bytes") }

        let page = try await Fetch.shared.data(from: "https://example.com/", maximumRetries: 10)
        print(page)
    }

    static func sequences(of nas: Reachability, router: Target, shop: Target) throws {
        let status = Task { for await status in nas.changes { print(status) } }
        let session = try Session(to: "example.com", port: 443)
        let state = Task { for await state in session.states { print(state) } }
        let monitor = try Monitor([router, shop])
        let events = Task { for await events in monitor.events { print(events) } }
        for task in [status, state, events] { task.cancel() }
    }

    // MARK: Changed names

    static func losses(_ events: [Monitor.Event]) -> [Monitor.Observation] {
        let losses = events.compactMap { event -> Monitor.Observation? in
            guard case .observation(let observation) = event, !observation.outcome.isReply else { return nil }
            return observation
        }
        return losses
    }

    // MARK: Reachability

    static func overview() async {
        let host = Reachability(of: "example.com")
        print(await host.check())
    }

    static func comment() async {
        let host = Reachability(of: "example.com")
        if await host.check().isReachable { print("it answers") }
        for await status in host.changes { print(status) }  // unknown, reachable by wifi …
    }

    static func statusNow() async {
        let host = Reachability(of: "example.com")
        switch await host.check() {
        case .reachable(let link): print("answers by \(link)")
        case .unreachable(let cause): print("does not: \(cause)")
        case .unknown: break  // Only a task that is cancelled sees this.
        }
    }

    static var subjects: [Reachability.Subject] {
        let subjects: [Reachability.Subject] = [
            "example.com",
            "2001:db8::1",
            "db.local:5432",
            "https://example.com/health",
            "dns://192.0.2.53/example.com?type=A",
        ]
        return subjects
    }

    static func subject(of text: String) async {
        do {
            let host = Reachability(of: try Reachability.Subject(text))
            print(await host.check())
        } catch {
            print(error)  // unknown method "htps" – did you mean "https"?
        }
    }

    static func changes(of host: Reachability) async {
        for await status in host.changes {
            print(status)
        }
    }

    @MainActor
    final class Banner {
        private(set) var text = ""
        private var subscription: Task<Void, Never>?

        func appear() {
            subscription = Task { [weak self] in
                for await status in Reachability(of: .internet).changes {
                    // Unknown is not offline.
                    if case .unreachable = status { self?.text = "offline" } else { self?.text = "" }
                }
            }
        }

        func disappear() {
            subscription?.cancel()
        }
    }

    static func once(photos: [Data], upload: @escaping @Sendable ([Data]) async throws -> String) async throws {
        let nas = Reachability(of: "nas.local:445")
        let task = nas.whenReachable(within: .seconds(30), allowCellular: false) {
            try await upload(photos)
        }

        switch try await task.value {
        case .performed(let receipt): print("uploaded: \(receipt)")
        case .expired: print("the NAS did not come back")
        case .cancelled: print("cancelled")
        }
    }

    static func firstLines(port: Int, text: String) {
        let subjects = [
            Reachability(of: "db.local:\(port)"),
            Reachability(host: "db.local", port: port),
            Reachability(of: text),
        ]
        print(subjects)
    }

    static func comment(of url: URL) throws -> [Reachability.Subject] {
        let subjects = [
            try Reachability.Subject(url),  // the server: a status such as 500 is unreachable
            try Reachability.Subject(hostOf: url),  // the host, whatever the server answers
        ]
        return subjects
    }

    static func path() async {
        let path = await Prober.shared.networkPath()
        if path.isExpensive == true { print("later") }

        for await path in Prober.shared.networkPaths {
            print(path.interfaces.map(\.name), path.supportsIPv6 == true ? "IPv6" : "")
        }
    }

    static func structured() async throws {
        try await Reachability(of: "db:5432").waitUntilReachable(within: .seconds(30))
    }

    static func dropped(sendDrafts: @escaping @Sendable () async -> Void) {
        Reachability(of: "mail.example.com:587").whenReachable { await sendDrafts() }
    }

    // MARK: Fetch

    static func fetchComment() async throws {
        let page = try await Fetch.shared.data(from: "https://example.com/")
        print(page.count)
    }

    static func page() async throws {
        let page = try await Fetch.shared.data(from: "https://example.com/", maximumRetries: 10)
        print(page.count)
    }

    static func report(of host: String, by fetch: Fetch) async throws {
        let report = try await fetch.data(from: "http://\(host)/report", within: .seconds(60))
        print(report.count)
    }

    static func errors(of fetch: Fetch) async {
        do throws(Fetch.Error) {
            let body = try await fetch.data(from: "https://api.example.com/jobs/7")
            print(String(decoding: body, as: UTF8.self))
        } catch .status(let response) {
            print("the server says \(response.status)", response.headers[.contentType] ?? "")
        } catch .retriesExhausted(let last, let tries) {
            print("given up after \(tries) tries: \(last)")
        } catch .cancelled {
            print("cancelled")
        } catch {
            print(error)
        }
    }

    static func policy() -> Fetch {
        let patient = Fetch(
            policy: Fetch.Policy(basePause: .seconds(2), maximumRetryAfter: .seconds(600)) { error in
                if case .status(let response) = error { response.status >= 500 } else { error.isRetryable }
            }
        )
        return patient
    }

    static func renewed(_ token: @escaping @Sendable () async -> String) -> Fetch {
        let api = Fetch(
            policy: Fetch.Policy(retrier: { error, request, tries in
                guard error.response?.status == 401, tries == 1 else { return .standard }
                request.headers[.authorization] = await token()
                return .retry
            })
        )
        return api
    }

    static func job() async throws {
        let job = Fetch.Request("https://api.example.com/jobs", method: "POST", body: .json(["name": "tea"]))
        let receipt = try await Fetch(waiting: .beforeEachTry(atMost: .seconds(60))).response(to: job)
        print(receipt.status)
    }

    static func compressed() async throws {
        var report: Fetch.Request = "https://example.com/report"
        report.isDecompressed = true
        report.headers["X-Tenant"] = "7"
        print(try await Fetch.shared.data(from: report).count)
    }

    static func large(by fetch: Fetch) async throws -> Int {
        var count = 0
        try await fetch.save("https://example.com/disk.img", to: "disk.img")

        for try await piece in try await fetch.stream(from: "https://example.com/log") {
            count += piece.count
        }
        return count
    }

    static func head(by fetch: Fetch) async throws -> Int {
        var count = 0
        let log = try await fetch.stream(from: "https://example.com/log")
        print(log.response.status, log.response.headers[.contentLength] ?? "unknown length")
        for try await piece in log { count += piece.count }
        return count
    }

    static func shop() -> Fetch {
        let shop = Fetch(
            tls: Fetch.TLS(
                authorities: "/etc/shop/ca.pem",
                clientCertificate: Fetch.TLS.ClientCertificate(
                    chain: "/etc/shop/me.pem",
                    privateKey: "/etc/shop/me.key"
                )
            ),
            allowCellular: false
        )
        return shop
    }

    static func progress(from url: String) async throws {
        let body = try await Fetch.shared.data(from: url, maximumRetries: 5) { event in
            if case .received(let count, let length?) = event {
                Task { @MainActor in show(Double(count) / Double(length)) }
            }
        }
        print(body.count)
    }

    @MainActor static func show(_ share: Double) {}

    // MARK: Session

    static func session() async throws {
        for await state in try Session(to: "example.com", port: 443).states {
            print(state)  // setup, preparing, ready: 192.0.2.1 …
        }
    }

    static func heartbeat() throws -> Session {
        let cache = try Session(
            to: "cache.local",
            port: 6379,
            options: Session.Options(send: "PING\r\n", expect: #"^\+PONG"#),
            interval: .seconds(5)
        )
        return cache
    }

    // MARK: Monitor

    static func monitor() async throws {
        let monitor = try Monitor([try Target("tcp://nas.local:445", name: "NAS")])
        for await events in monitor.events {
            for case .transition(let id, let transition) in events {
                print(monitor[id]?.target.name ?? "", transition.to)
            }
        }
    }

    static func states(of monitor: Monitor) {
        for state in monitor.states {
            let figures = state.statistics
            print(state.target.name, state.health, "loss \(figures.loss ?? 0)", state.failure?.detail ?? "")
        }
    }

    static func control(_ monitor: Monitor, _ ids: [Target.ID]) throws {
        monitor.pause(ids)
        monitor.resume(ids)
        monitor.probe(ids)
        try monitor.update([try Target("icmp://192.0.2.1"), try Target("tcp://nas.local:445", name: "NAS")])
    }

    static func targets() throws -> [Target] {
        let router = try Target("icmp://192.168.1.1")
        var shop = try Target("https://shop.example.com/health", name: "Shop", interval: .seconds(30))
        shop.timeout = .seconds(2)
        shop.thresholds.slow = .milliseconds(500)
        return [router, shop]
    }

    // MARK: Prober

    static func custom(_ group: any EventLoopGroup) -> (Reachability, Fetch) {
        let prober = Prober(eventLoopGroup: group, logger: Logger(label: "errand"))
        let database = Reachability(of: "db.local:5432", prober: prober)
        let fetch = Fetch(prober: prober, eventLoopGroup: group)
        return (database, fetch)
    }

    static func commands(
        execute: @escaping @Sendable (Question.Command, [(name: String, value: String)]) async -> (Int, String)
    ) -> Prober {
        let run: Prober.CommandRunner = { command, variables in
            let start = ContinuousClock.now
            let (status, output) = await execute(command, variables)
            return Prober.CommandResult(status: .exited(status), duration: .now - start, output: output)
        }
        let prober = Prober(runCommand: run)
        return prober
    }

    static func clock() -> Prober {
        let prober = Prober(clock: ManualClock())
        return prober
    }
}

/// The test of the article on tests.
@Suite struct TestingSnippet {
    @Test func `the backup starts when the NAS is back`() async {
        let clock = ManualClock()
        let network = FakeNetwork(clock: clock)
        network.set("nas.local", to: .noReply)
        network.set("nas.local", to: .reply(after: .milliseconds(2)), after: .seconds(30))

        let nas = Reachability(of: "nas.local", prober: network.prober)
        let backup = nas.whenReachable(within: .seconds(60)) { "done" }
        await clock.advance(by: .seconds(31))
        #expect(await backup.value == .performed("done"))
    }

    @Test func `a refused connection is reported`() async {
        let clock = ManualClock()
        let network = FakeNetwork(clock: clock)
        network.set("nas.local:445", to: .failure(.refused))

        let nas = Reachability(of: "nas.local:445", prober: network.prober)
        async let status = nas.check()
        await network.untilProbed("nas.local:445")
        await clock.advance(by: .seconds(5))
        #expect(await status == .unreachable(.failure(Failure(.refused))))
    }
}
