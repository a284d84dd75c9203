import NIOCore
import NIOPosix
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.live, .timeLimit(.minutes(1))) struct BlackboxProberTests {
    /// A server that accepts connections and never answers; it closes them when their client does.
    ///
    /// - Parameter accepted: called for each connection.
    private func silentServer(accepted: @escaping @Sendable () -> Void = {}) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                accepted()
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    private func module(_ prober: BlackboxModule.Prober) -> BlackboxModule {
        BlackboxModule("m", prober, family: .v4)
    }

    private func lane(on loop: any EventLoop) -> BlackboxLane {
        BlackboxLane(
            gate: LoopGate(loop),
            searchPool: PatternSearchPool(),
            resolve: { _ in .failure(Failure(.resolverFailed)) },
            time: { .zero }
        )
    }

    private static let waiting: BlackboxModule.Prober = {
        var tcp = BlackboxTCPModule()
        var step = BlackboxTCPModule.Step()
        step.expect = BlackboxPattern("never")
        tcp.steps = [step]
        return .tcp(tcp)
    }()

    @Test func `a cancelled probe ends at once, without a report`() async throws {
        let (connections, connection) = AsyncStream<Void>.makeStream()
        let server = try await silentServer { connection.yield() }
        let port = try #require(server.localAddress?.port)
        let prober = BlackboxProber(limit: 8)
        let module = module(Self.waiting)
        let task = Task { await prober.report(on: "127.0.0.1:\(port)", by: module, timeout: .seconds(60)) }
        await connections.first { true }
        task.cancel()
        #expect(await task.value == nil)
        #expect(prober.count == 0)
        try await server.close()
    }

    @Test func `above the limit, a probe is refused`() async throws {
        let (connections, connection) = AsyncStream<Void>.makeStream()
        let server = try await silentServer { connection.yield() }
        let port = try #require(server.localAddress?.port)
        let prober = BlackboxProber(limit: 1)
        let module = module(Self.waiting)
        let task = Task { await prober.report(on: "127.0.0.1:\(port)", by: module, timeout: .seconds(60)) }
        await connections.first { true }
        #expect(await prober.report(on: "127.0.0.1:\(port)", by: module, timeout: .seconds(60)) == nil)
        task.cancel()
        _ = await task.value
        let connect = self.module(.tcp(BlackboxTCPModule()))
        let report = await prober.report(on: "127.0.0.1:\(port)", by: connect, timeout: .seconds(20))
        #expect(report?.isSuccess == true)
        try await server.close()
    }

    @Test func `a probe that times out has a report, without a failure of its patterns`() async throws {
        let server = try await silentServer()
        let port = try #require(server.localAddress?.port)
        let prober = BlackboxProber(limit: 8)
        let timeout = Duration.milliseconds(50)
        let tcp = await prober.report(on: "127.0.0.1:\(port)", by: module(Self.waiting), timeout: timeout, hasLog: true)
        #expect(tcp?.isSuccess == false && tcp?.isRegexFailure == false && tcp?.timeout == timeout)
        #expect(tcp?.log.last?.message == "Timeout")
        let http = await prober.report(
            on: "127.0.0.1:\(port)",
            by: module(.http(BlackboxHTTPModule())),
            timeout: timeout
        )
        #expect(http?.isSuccess == false && http?.http?.status == 0 && http?.http?.version == nil)
        #expect(http?.http?.phases.keys.sorted() == ["connect", "processing", "resolve", "tls", "transfer"])
        #expect(http?.log.isEmpty == true)
        try await server.close()
    }

    @Test func `concurrent connections each have their own outcome and time`() async throws {
        let server = try await silentServer()
        let port = try #require(server.localAddress?.port)
        let prober = BlackboxProber(limit: 64)
        let module = module(.tcp(BlackboxTCPModule()))
        let reports = await withTaskGroup(of: (isOpen: Bool, report: BlackboxReport?).self) { group in
            for number in 1...40 {
                // The server has one address: the others refuse.
                let isOpen = number % 2 == 0
                let target = "127.0.0.\(isOpen ? 1 : number + 1):\(port)"
                group.addTask {
                    (isOpen, await prober.report(on: target, by: module, timeout: .seconds(30), hasLog: true))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (isOpen, report) in reports {
            let report = try #require(report)
            #expect(report.isSuccess == isOpen)
            #expect(report.log.last?.message == (isOpen ? "Successfully dialed" : "Error dialing TCP"))
            #expect(report.duration > .zero && report.duration < .seconds(30))
            #expect(report.log.allSatisfy { $0.time <= report.duration })
            #expect(report.isRegexFailure == false && report.lookup?.address?.first == 127)
        }
        try await server.close()
    }

    #if os(Linux)
    @Test func `a connection that is not accepted times out`() async throws {
        let listener = try FullListener()
        let timeout = Duration.milliseconds(50)
        let report = await BlackboxProber(limit: 8).report(
            on: "127.0.0.1:\(listener.port)",
            by: module(.tcp(BlackboxTCPModule())),
            timeout: timeout,
            hasLog: true
        )
        #expect(report?.isSuccess == false && report?.log.last?.message == "Timeout")
        #expect((report?.duration ?? .zero) >= timeout)
        withExtendedLifetime(listener) {}
    }

    @Test func `the socket of a cancelled probe is closed`() async throws {
        let listener = try FullListener()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        try await loop.submit {
            let lane = self.lane(on: loop)
            let target = "127.0.0.1:\(listener.port)"
            let module = module(.tcp(BlackboxTCPModule()))
            let probe = BlackboxProbe(of: target, by: module, timeout: .seconds(60), hasLog: false, on: lane) { _ in
                Issue.record("a report")
            }
            probe.begin(hostname: nil)
            #expect(lane.handshakes.nextDeadline != nil)
            probe.cancel()
            #expect(lane.handshakes.nextDeadline == nil)
        }.get()
        withExtendedLifetime(listener) {}
    }
    #endif

    @Test func `a file of a module that cannot be read fails the probe with the reason`() async {
        var http = BlackboxHTTPModule()
        http.bodyFile = "/nonexistent"
        let module = module(.http(http))
        let report = await BlackboxProber(limit: 8)
            .report(on: "127.0.0.1:1", by: module, timeout: .seconds(60), hasLog: true)
        #expect(report?.log.last?.message == "Error creating request")
        #expect(report?.log.last?.fields.first?.value == "cannot read /nonexistent")
    }

    @Test func `the log of a failed lookup of a redirect has the host`() async throws {
        let server = try await WebServer.on { _ in
            .send(WebServer.answer("302 Found", headers: "Location: http://gone.test/\r\n"))
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let ended = loop.makePromise(of: BlackboxReport.self)
        let lane = try await loop.submit {
            let lane = self.lane(on: loop)
            let target = "http://127.0.0.1:\(server.port)/"
            let module = module(.http(BlackboxHTTPModule()))
            BlackboxProbe(of: target, by: module, timeout: .seconds(60), hasLog: true, on: lane) { ended.succeed($0) }
                .begin(hostname: nil)
            return NIOLoopBound(lane, eventLoop: loop)
        }.get()
        let log = try await ended.futureResult.get().log
        let line = try #require(log.first { $0.message == "Resolution with IP protocol failed" })
        #expect(line.fields.contains { $0.name == "host" && $0.value == "gone.test" })
        #expect(log.last?.message == "Error for HTTP request")
        withExtendedLifetime(lane) {}
        try await server.close()
    }

    @Test(.enabled(if: canOpenICMP, "no ICMP socket may be opened here"))
    func `the ICMP socket of an idle lane is closed`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let ended = loop.makePromise(of: BlackboxReport.self)
        let lane = try await loop.submit {
            let lane = self.lane(on: loop)
            let module = module(.icmp(.blackboxDefault))
            BlackboxProbe(of: "127.0.0.1", by: module, timeout: .seconds(60), hasLog: false, on: lane) {
                ended.succeed($0)
            }
            .begin(hostname: nil)
            lane.clean()
            #expect(!lane.echoes.sockets.isEmpty)
            return NIOLoopBound(lane, eventLoop: loop)
        }.get()
        #expect(try await ended.futureResult.get().isSuccess)
        try await loop.submit {
            lane.value.clean()
            #expect(lane.value.echoes.sockets.isEmpty)
        }.get()
    }

    @Test(.enabled(if: canOpenICMP, "no ICMP socket may be opened here"))
    func `concurrent requests on one socket each receive their own reply`() async {
        let prober = BlackboxProber(limit: 64)
        let module = module(.icmp(.blackboxDefault))
        let reports = await withTaskGroup(of: BlackboxReport?.self) { group in
            for number in 1...40 {
                // The last address is that of a network: the system refuses to send.
                let target = number == 40 ? "255.255.255.255" : "127.0.0.\(number)"
                group.addTask { await prober.report(on: target, by: module, timeout: .seconds(30), hasLog: true) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.count { $0?.isSuccess == true && ($0?.icmp?.phases["rtt"] ?? .zero) > .zero } == 39)
        #expect(reports.count { $0?.log.contains { $0.message == "Error writing to socket" } == true } == 1)
        #if os(Linux)
        #expect(reports.count { $0?.icmp?.hopLimit == 64 } == 39)
        #endif
    }
}
