#if Fetch

import ReachMonitoring
import NIOCore
import NIOPosix

/// Sends the query of a DNS module, and validates the answer. Confined to its event loop.
final class BlackboxDNSProber {
    /// The largest datagram that is read whole.
    private static let maxDatagramLength = 65_535

    private let probe: BlackboxProbe
    private let module: BlackboxDNSModule
    private var facts = BlackboxReport.DNS()
    private var host = ""
    private var connection: Connection?
    private var channel: (any Channel)?
    private let id = UInt16.random(in: .min ... .max)
    private var sent: Duration?

    init(_ probe: BlackboxProbe, _ module: BlackboxDNSModule) {
        self.probe = probe
        self.module = module
    }

    /// Starts the probe.
    func begin() {
        probe.report.dns = facts
        probe.expire = { self.fail("timeout") }
        probe.close = { self.close() }
        let (host, port) = HostPort.parse(probe.target) ?? (probe.target, nil)
        self.host = host
        probe.resolve(host) { [self] address in
            facts.phases["resolve"] = probe.report.lookup?.duration ?? .zero
            send(to: address, port: port ?? (module.isSecure ? 853 : 53))
        }
    }

    private func send(to address: IPAddress, port: UInt16) {
        // A module without a name queries the root.
        guard let name = DNSName(module.name.isEmpty ? "." : module.name) else {
            return fail("invalid name \(module.name)")
        }
        let query = BlackboxDNSQuery(id: id, name: name, module)
        let transport = "\(module.transport.rawValue)\(address.family == .ipv4 ? 4 : 6)\(module.isSecure ? "-tls" : "")"
        probe.log(
            .debug,
            "Making DNS query",
            [
                "target": "\(address.inHostPort):\(port)", "dial_protocol": transport, "query": module.name,
                "type": "\(module.type)", "class": "\(module.recordClass)",
            ]
        )
        if module.transport == .tcp || module.isSecure {
            connect(to: address, port: port, sending: query.message)
        } else {
            sendDatagram(query.message, to: address, port: port)
        }
    }

    private func sendDatagram(_ message: [UInt8], to address: IPAddress, port: UInt16) {
        let origin: Origin?
        do {
            origin = try probe.module.source.map { source throws(Fault) in try Origin(source, toward: address) }
        } catch {
            return fail(error.detail)
        }
        let handler = NIOLoopBound(
            BlackboxDNSDatagramHandler(
                receive: { [weak self] in self?.receive($0, isDatagram: true) },
                fail: { [weak self] in self?.fail(Outcome($0, to: address).logText) }
            ),
            eventLoop: probe.loop
        )
        let bootstrap = DatagramBootstrap(group: probe.loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.maxDatagramLength))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
            }
        let destination = address.socketAddress(port: port)
        let opened =
            if case .address(let source)? = origin {
                bootstrap.bind(to: source.socketAddress(port: 0)).flatMap { channel in
                    channel.connect(to: destination).map { channel }
                }
            } else {
                bootstrap.connect(to: destination)
            }
        opened.assumeIsolated().whenComplete { [weak self] result in
            switch result {
            case .success(let channel):
                guard let self, !probe.isOver else { return channel.close(promise: nil) }
                self.channel = channel
                sent = probe.lane.time()
                channel.writeAndFlush(ByteBuffer(bytes: message), promise: nil)
            case .failure(let error):
                self?.fail(Outcome(error, to: address).logText)
            }
        }
    }

    private func connect(to address: IPAddress, port: UInt16, sending message: [UInt8]) {
        let begin = probe.lane.time()
        let configuration = Connection.Configuration(
            destination: probe.destination(address, port: port),
            identity: module.isSecure ? PeerIdentity(module.tls.serverName ?? host) : nil,
            options: module.tls
        )
        let connection = probe.makeConnection(configuration, stopwatch: Stopwatch(at: begin))
        self.connection = connection
        connection.dial { [weak self] event in
            guard let self, !probe.isOver else { return }
            switch event {
            case .open(let channel):
                facts.phases["connect"] = probe.lane.time() - begin
                sent = probe.lane.time()
                let handler = BlackboxDNSStreamHandler { [weak self] in self?.receive($0, isDatagram: false) }
                do {
                    try channel.pipeline.syncOperations.addHandler(handler)
                } catch {
                    return fail("closed")
                }
                let prefixed = UInt16(message.count).inNetworkOrder + message
                channel.writeAndFlush(ByteBuffer(bytes: prefixed), promise: nil)
            case .over(let outcome):
                fail(outcome.logText)
            }
        }
    }

    private func receive(_ bytes: [UInt8], isDatagram: Bool) {
        guard !probe.isOver else { return }
        let message = BlackboxDNSMessage(bytes)
        guard message?.id == id, message?.isResponse == true else {
            if !isDatagram { fail("id mismatch") }
            return
        }
        facts.phases["request"] = probe.lane.time() - (sent ?? probe.lane.time())
        guard let message, message.isComplete || message.isTruncated else { return fail("malformed message") }
        probe.log(.debug, "Got response", ["response": message.text])
        facts.answers = message.answers.count
        facts.authorities = message.authorities.count
        facts.additions = message.additions.count
        facts.isAnswered = true
        if module.type == DNSQuestion.RecordType.soa.rawValue {
            facts.serial = message.answers.compactMap(\.serial).last ?? 0
        }
        let code = ("\(message.code)", BlackboxDNSModule.responseCodeName(message.code))
        guard module.responseCodes.contains(message.code) else {
            let valid = module.responseCodes.map { "\($0)" }.joined(separator: " ")
            probe.log(
                .error,
                "Rcode is not one of the valid rcodes",
                ["rcode": code.0, "string_rcode": code.1, "valid_rcodes": "[\(valid)]"]
            )
            return finish(false)
        }
        probe.log(.debug, "Rcode is valid", ["rcode": code.0, "string_rcode": code.1])
        validate(message)
    }

    private func validate(_ message: BlackboxDNSMessage) {
        let sections = [
            ("Answer", module.answer, message.answers.map(\.text)),
            ("Authority", module.authority, message.authorities.map(\.text)),
            ("Additional", module.additional, message.additions.map(\.text)),
        ]
        let searches = sections.flatMap { section in
            let texts = section.2.map { Array($0.utf8) }
            return section.1.patterns.map { (pattern: $0, texts: texts) }
        }
        probe.lane.searches.match(searches) { [self] result in
            guard !probe.isOver else { return }
            switch result {
            case .failure(let fault):
                fail(fault.detail)
            case .success(var matches):
                for (name, validation, records) in sections {
                    let count = validation.patterns.count
                    probe.log(.debug, "Validating \(name) RRs")
                    let isValid = validation.isMet(by: Array(matches.prefix(count)), records) {
                        probe.log($0, $1, $2)
                    }
                    matches.removeFirst(count)
                    guard isValid else {
                        probe.log(.error, "\(name) RRs validation failed")
                        return finish(false)
                    }
                }
                finish(true)
            }
        }
    }

    private func fail(_ reason: String) {
        guard !probe.isOver else { return }
        probe.log(.error, "Error while sending a DNS query", ["err": reason])
        if let sent, facts.phases["request"] == .zero { facts.phases["request"] = probe.lane.time() - sent }
        finish(false)
    }

    private func finish(_ isSuccess: Bool) {
        probe.report.dns = facts
        probe.end(isSuccess)
    }

    private func close() {
        let (connection, channel) = (connection, channel)
        (self.connection, self.channel) = (nil, nil)
        connection?.drop()
        channel?.close(promise: nil)
    }
}

extension IPAddress {
    /// The address before a port, with brackets around an IPv6 address.
    fileprivate var inHostPort: String { family == .ipv4 ? "\(self)" : "[\(self)]" }
}

/// A channel handler that passes on datagrams and errors.
final class BlackboxDNSDatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let receive: ([UInt8]) -> Void
    private let fail: (any Error) -> Void

    init(receive: @escaping ([UInt8]) -> Void, fail: @escaping (any Error) -> Void) {
        self.receive = receive
        self.fail = fail
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receive(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }
}

/// A channel handler that passes on the first message of a stream, after its two-byte length (RFC 1035 §4.2.2).
final class BlackboxDNSStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let receive: ([UInt8]) -> Void
    private var buffer = ByteBuffer()

    init(receive: @escaping ([UInt8]) -> Void) {
        self.receive = receive
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self),
            let message = buffer.getBytes(at: buffer.readerIndex + 2, length: Int(length))
        else { return }
        receive(message)
    }
}

#endif
