import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOSSL
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct TLSTests {
    private let root: Authority
    private let ca: String

    init() throws {
        root = try Authority()
        ca = try root.file()
    }

    /// Returns the first outcome of a probe whose name resolves to this machine.
    private func outcome(of question: Question, timeout: Duration = .seconds(20)) async throws -> Outcome {
        let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
        harness.watch([question], interval: timeout, timeout: timeout)
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        return observation.outcome
    }

    private func reply(_ outcome: Outcome) throws -> Reply {
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        return reply
    }

    @Test func `a valid certificate is a reply with its remaining days`() async throws {
        let server = try await WebServer.on(tls: root.certify().context())
        let question = Question.tls(host: "good.example", port: server.port, TLSOptions(ca: ca, warnDays: 14))
        let reply = try reply(await outcome(of: question))
        #expect(reply.detail == "61 days")
        #expect(reply.concern == nil)
        #expect(reply.phases.map(\.phase) == [.resolve, .connect, .tls])
        #expect(reply.phases.dropFirst().reduce(.zero) { $0 + $1.duration } == reply.roundTrip)
        let left = try #require(reply.certificateExpiry) - Int64(Date().timeIntervalSince1970)
        #expect(abs(left - Int64(61.5 * 86_400)) < 60)
        let certificate = try #require(reply.certificate)
        #expect(certificate.name.hasPrefix("good.example, serial "))
        #expect(certificate.issuer == "Test Root")
        try await server.close()
    }

    @Test(arguments: [(["h2"], WebServer.Action.close), (["h2"], .reset), ([], .close), (["h2", "http/1.1"], .close)])
    func `a server that speaks only HTTP/2 is named`(protocols: [String], action: WebServer.Action) async throws {
        let server = try await WebServer.on(tls: root.certify().context(protocols: protocols)) { _ in action }
        let question = HTTPQuestion(isSecure: true, host: "good.example", port: server.port, tls: TLSOptions(ca: ca))
        let isNamed = protocols.first == "h2"
        let failure =
            isNamed
            ? Failure(.protocolError, detail: "speaks only HTTP/2")
            : Failure(.closed, detail: "closed without an answer")
        #expect(try await outcome(of: .http(question)) == .failure(failure))
        try await server.close()
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func `a certificate is checked even if the server closes after the handshake`(newest: TLSVersion)
        async throws
    {
        let other = try root.certify(names: [.dns("other.example")]).context(newest: newest)
        let server = try await WebServer.on(tls: other, closesAfterHandshake: true)
        let options = TLSOptions(ca: ca)
        let question = Question.http(
            HTTPQuestion(isSecure: true, host: "good.example", port: server.port, tls: options)
        )
        let failure = Failure(.certificateName, detail: "certificate is for other.example")
        for _ in 0..<5 { #expect(try await outcome(of: question) == .failure(failure)) }
        #expect(try await outcome(of: .tls(host: "good.example", port: server.port, options)) == .failure(failure))
        try await server.close()
        let good = try await WebServer.on(
            tls: root.certify().context(newest: newest),
            closesAfterHandshake: true
        )
        let right = HTTPQuestion(isSecure: true, host: "good.example", port: good.port, tls: options)
        guard case .failure(let closed) = try await outcome(of: .http(right)) else { throw Missing() }
        #expect([.closed, .reset].contains(closed.reason))
        try await good.close()
    }

    @Test func `a certificate that expires soon is a reply with a concern`() async throws {
        let server = try await WebServer.on(tls: root.certify(days: 5.5).context())
        let question = Question.tls(host: "good.example", port: server.port, TLSOptions(ca: ca, warnDays: 14))
        let reply = try reply(await outcome(of: question))
        #expect(reply.detail == "5 days")
        #expect(reply.concern == "certificate expires in 5 days")
        try await server.close()
    }

    @Test func `certificate failures are distinguished, and ignored without verification`() async throws {
        let stranger = try Authority("Stranger")
        let cases: [(Credential, Reason, String, String)] = [
            (try root.certify(days: -3.5), .certificateExpired, "expired 3 days ago", "expired 3 days ago"),
            (try root.certify(names: [.dns("a.test")]), .certificateName, "certificate is for a.test", "61 days"),
            (try stranger.certify(isSelfSigned: true), .certificateUntrusted, "self-signed", "61 days"),
        ]
        for (credential, reason, detail, days) in cases {
            let server = try await WebServer.on(tls: credential.context())
            let strict = Question.tls(host: "good.example", port: server.port, TLSOptions(ca: ca))
            guard case .failure(let failure) = try await outcome(of: strict) else { throw Missing() }
            #expect(failure.reason == reason && failure.detail == detail)
            #expect((failure.certificateExpiry != nil) == (reason == .certificateExpired))
            let lax = Question.tls(host: "good.example", port: server.port, TLSOptions(verifies: false))
            #expect(try reply(await outcome(of: lax)).detail == days)
            try await server.close()
        }
    }

    @Test func `one handshake is enough`() async throws {
        let stranger = try Authority("Stranger")
        let own = try stranger.certify(isSelfSigned: true)
        let ownFile = try ScratchFile(own.certificate.pem)
        defer { ownFile.remove() }
        let cases: [(Credential, ca: String)] = [
            (try root.certify(), ca), (try root.certify(days: -3.5), ca), (own, ca), (own, ownFile.path),
            (try stranger.certify(), ca),
        ]
        for (credential, ca) in cases {
            let count = Mutex(0)
            let server = try await WebServer.on(tls: credential.context { count.withLock { $0 += 1 } })
            _ = try await outcome(of: .tls(host: "good.example", port: server.port, TLSOptions(ca: ca)))
            #expect(count.withLock(\.self) == 1)
            try await server.close()
        }
    }

    @Test func `the configured server name replaces the host`() async throws {
        let server = try await WebServer.on(tls: root.certify(names: [.dns("inner.example")]).context())
        let named = TLSOptions(ca: ca, serverName: "inner.example")
        _ = try reply(await outcome(of: .tls(host: "127.0.0.1", port: server.port, named)))
        let failure = Failure(.certificateName, detail: "certificate is for inner.example")
        let question = Question.tls(host: "127.0.0.1", port: server.port, TLSOptions(ca: ca))
        #expect(try await outcome(of: question) == .failure(failure))
        try await server.close()
    }

    @Test func `an address is matched with the addresses in the certificate`() async throws {
        let address = CertificateExtension.AlternativeName.address([127, 0, 0, 1])
        let server = try await WebServer.on(tls: root.certify(names: [address]).context())
        let reply = try reply(await outcome(of: .tls(host: "127.0.0.1", port: server.port, TLSOptions(ca: ca))))
        #expect(reply.phases.map(\.phase) == [.connect, .tls])
        try await server.close()
    }

    @Test func `an unreadable CA file is a fault`() async throws {
        let server = try await WebServer.on(tls: root.certify().context())
        let question = Question.tls(host: "good.example", port: server.port, TLSOptions(ca: "/nowhere.pem"))
        #expect(try await outcome(of: question) == .fault(Fault(.noAuthorities, detail: "cannot read /nowhere.pem")))
        try await server.close()
    }

    @Test func `a deadline while the authorities are read is a fault`() async throws {
        let loop = NIOAsyncTestingEventLoop()
        let address = try #require(IPAddress(literal: "127.0.0.1"))
        let outcome = try await loop.executeInContext {
            let connection = Connection(
                Connection.Configuration(
                    destination: Connector.Destination(
                        addresses: [address],
                        port: 443,
                        deadline: .zero,
                        origin: { _ in nil }
                    ),
                    identity: PeerIdentity("good.example"),
                    options: TLSOptions()
                ),
                stopwatch: Stopwatch(at: .zero),
                in: ProberEnvironment(gate: LoopGate(loop), time: { .zero }, report: { _ in })
            )
            connection.dial { _ in }
            // The authorities reach the loop only after this.
            defer { connection.drop() }
            return connection.outcomeAtTimeout
        }
        #expect(outcome == .fault(Fault(.noAuthorities, detail: "the trusted authorities are still being read")))
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n\r\n", "220 mail.example ESMTP\r\n", "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}",
    ])
    func `an answer that is not TLS is a protocol error`(text: String) async throws {
        let server = try await WebServer.on(greeting: .sendAndHold(text))
        let question = Question.tls(host: "127.0.0.1", port: server.port, TLSOptions(ca: ca))
        let outcome = try await outcome(of: question)
        #expect(outcome == .failure(Failure(.protocolError, detail: "the answer is not TLS")))
        try await server.close()
    }

    @Test func `a failed handshake has a reason`() async throws {
        // An alert (RFC 8446 §6): fatal, handshake_failure.
        let alert = "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}"
        let refusing = try await WebServer.on(waitsForRequest: false) { _ in .sendAndHold(alert) }
        let question = Question.tls(host: "127.0.0.1", port: refusing.port, TLSOptions(ca: ca))
        let refused = try await outcome(of: question)
        #expect(refused == .failure(Failure(.tlsFailed, detail: "no common cipher or kind of key: handshake failure")))
        try await refusing.close()
        let old = try await WebServer.on(tls: root.certify().context(newest: .tlsv11))
        let strict = try await outcome(of: .tls(host: "good.example", port: old.port, TLSOptions(ca: ca)))
        #expect(strict == .failure(Failure(.tlsFailed, detail: "no common version of TLS")))
        let lax = TLSOptions(verifies: false)
        _ = try reply(await outcome(of: .tls(host: "good.example", port: old.port, lax)))
        try await old.close()
    }

    @Test func `a close, a reset and silence during the handshake are distinguished`() async throws {
        let closing = try await WebServer.on(waitsForRequest: false) { _ in .close }
        let closed = try await outcome(of: .tls(host: "127.0.0.1", port: closing.port, TLSOptions(ca: ca)))
        #expect(closed == .failure(Failure(.closed, detail: "closed during the TLS handshake")))
        try await closing.close()
        let breaking = try await WebServer.on(waitsForRequest: false) { _ in .reset }
        let reset = try await outcome(of: .tls(host: "127.0.0.1", port: breaking.port, TLSOptions(ca: ca)))
        #expect(reset == .failure(Failure(.reset)))
        try await breaking.close()
        let hasty = try await WebServer.on(greeting: .reset)
        let broken = try await outcome(of: .tls(host: "127.0.0.1", port: hasty.port, TLSOptions(ca: ca)))
        #expect(broken == .failure(Failure(.reset)))
        try await hasty.close()
        let silent = try await WebServer.on(greeting: .sendAndHold(""))
        let question = Question.tls(host: "127.0.0.1", port: silent.port, TLSOptions(ca: ca))
        #expect(try await outcome(of: question, timeout: .milliseconds(300)) == .timeout)
        try await silent.close()
        let refused = try await outcome(of: .tls(host: "127.0.0.1", port: silent.port, TLSOptions(ca: ca)))
        #expect(refused == .failure(Failure(.refused)))
    }

    @Test func `STARTTLS upgrades a connection to TLS`() async throws {
        let context = try root.certify().context()
        let server = try await MailServer.on(context: context)
        let options = TLSOptions(ca: ca, starttls: .smtp)
        let reply = try reply(await outcome(of: .tls(host: "good.example", port: server.port, options)))
        #expect(reply.detail == "61 days")
        let wrong = TLSOptions(ca: ca, starttls: .imap)
        let outcome = try await outcome(of: .tls(host: "good.example", port: server.port, wrong))
        #expect(outcome == .failure(Failure(.protocolError, detail: #"not imap: "220 mail.example""#)))
        try await server.close()
    }

    @Test func `https verifies the certificate before it sends the request`() async throws {
        let (requests, requestReceived) = AsyncStream.makeStream(of: String.self)
        let answer: @Sendable (String) -> WebServer.Action = { request in
            requestReceived.yield(request)
            return .send(WebServer.ok("fine"))
        }
        let server = try await WebServer.on(tls: root.certify(days: 5.5).context(), answer: answer)
        var question = HTTPQuestion(isSecure: true, host: "good.example", port: server.port)
        question.options.body = "fine"
        let untrusted = try await outcome(of: .http(question))
        guard case .failure(let failure) = untrusted else { throw Unexpected(outcome: untrusted) }
        #expect(failure.reason == .certificateUntrusted)

        question.tls = TLSOptions(ca: ca, warnDays: 7)
        question.path = "/second"
        let reply = try reply(await outcome(of: .http(question)))
        #expect(reply.detail == "HTTP 200")
        #expect(reply.concern == "certificate expires in 5 days")
        #expect(reply.certificateExpiry != nil)
        #expect(reply.phases.map(\.phase) == [.resolve, .connect, .tls, .processing, .transfer])
        #expect(reply.phases.dropFirst().reduce(.zero) { $0 + $1.duration } == reply.roundTrip)
        var iterator = requests.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.hasPrefix("GET /second ") == true, "the first probe must not have sent a request")
        try await server.close()
    }

    @Test func `a redirect from http to https verifies the certificate`() async throws {
        let secure = try await WebServer.on(tls: root.certify().context())
        let location = "Location: https://good.example:\(secure.port)/\r\n"
        let plain = try await WebServer.on { _ in .send(WebServer.answer("301 Moved", headers: location)) }
        var question = HTTPQuestion(isSecure: false, host: "good.example", port: plain.port)
        question.options.follow = 1
        question.tls.ca = ca
        let reply = try reply(await outcome(of: .http(question)))
        #expect(reply.phases.map(\.phase) == [.resolve, .connect, .tls, .processing, .transfer])
        #expect(reply.certificateExpiry != nil)
        try await plain.close()
        try await secure.close()
    }

    @Test func `the server name belongs to the target's own host`() async throws {
        let own = try await WebServer.on(tls: root.certify(names: [.dns("inner.example")]).context()) { request in
            .send(request.hasPrefix("GET /back ") ? WebServer.ok("fine") : WebServer.answer("302 Found", headers: ""))
        }
        let back = "Location: https://good.example:\(own.port)/back\r\n"
        let other = try await WebServer.on(tls: root.certify(names: [.dns("other.example")]).context()) { _ in
            .send(WebServer.answer("302 Found", headers: back))
        }
        let away = "Location: https://other.example:\(other.port)/\r\n"
        let plain = try await WebServer.on { _ in .send(WebServer.answer("302 Found", headers: away)) }
        var question = HTTPQuestion(isSecure: false, host: "good.example", port: plain.port)
        question.options.follow = 2
        question.tls = TLSOptions(ca: ca, serverName: "inner.example", warnDays: 90)
        let reply = try reply(await outcome(of: .http(question)))
        #expect(reply.detail == "HTTP 200")
        #expect(reply.concern == "certificate expires in 61 days")
        for server in [plain, other, own] { try await server.close() }
    }
}

private struct Missing: Error {}

/// A mail server that supports only STARTTLS.
private struct MailServer {
    let channel: any Channel

    static func on(context: NIOSSLContext) async throws -> MailServer {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(MailHandler(context: context))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return MailServer(channel: channel)
    }

    var port: UInt16 { UInt16(channel.localAddress?.port ?? 0) }

    func close() async throws {
        try await channel.close()
    }

    private final class MailHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let context: NIOSSLContext

        init(context: NIOSSLContext) {
            self.context = context
        }

        func channelActive(context: ChannelHandlerContext) {
            send("220 mail.example\r\n", context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch String(buffer: unwrapInboundIn(data)).prefix(4) {
            case "EHLO":
                send("250-mail.example\r\n250 STARTTLS\r\n", context)
            case "STAR":
                send("220 go ahead\r\n", context)
                let handler = NIOSSLServerHandler(context: self.context)
                try? context.pipeline.syncOperations.addHandler(handler, position: .first)
                context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            default:
                send("500 what?\r\n", context)
            }
        }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}
