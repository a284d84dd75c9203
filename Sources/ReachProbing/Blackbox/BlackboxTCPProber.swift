#if Fetch

import NIOCore
import NIOTLS
import ReachMonitoring

/// Performs the steps of a TCP module on a connection: waits for lines, sends lines, upgrades to TLS. Confined to its event
/// loop.
final class BlackboxTCPProber: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The maximum length of a line.
    private static let maxLineLength = 65_536

    private let probe: BlackboxProbe
    private let module: BlackboxTCPModule
    /// The name that the certificate must be for, unless the settings have one.
    private let hostname: String?
    private var host = ""
    private var connection: Connection?
    private var channel: (any Channel)?
    #if os(Linux)
    /// The number of the connection that is being opened without a channel.
    private var handshake: Int?
    #endif
    private var steps: ArraySlice<BlackboxTCPModule.Step>
    /// The part of the current step that is performed next.
    private var part = Part.expect
    /// The received bytes that no step has consumed.
    private var received: [UInt8] = []
    private var hasEnded = false
    private var isBusy = false
    /// The groups of the last expected line.
    private var groups = PatternGroups()
    /// The TLS client of an upgrade.
    private var upgrade: TLSClient?

    private enum Part {
        case expect, expectBytes, send, startTLS, handshake
    }

    init(_ probe: BlackboxProbe, _ module: BlackboxTCPModule, hostname: String?) {
        self.probe = probe
        self.module = module
        self.hostname = hostname
        steps = module.steps[...]
    }

    /// Starts the probe.
    func begin() {
        probe.report.isRegexFailure = false
        if module.steps.contains(where: { !$0.expectedBytes.isEmpty }) { probe.report.isBytesFailure = false }
        probe.expire = { self.probe.fail("Timeout") }
        probe.close = { self.close() }
        guard let (host, port) = HostPort.parse(probe.target), let port else {
            return probe.fail("Error splitting target address and port", ["target": probe.target])
        }
        self.host = host
        probe.resolve(host) { address in
            #if os(Linux)
            guard self.needsChannel else { return self.shakeHands(with: address, port: port) }
            #endif
            self.connect(to: address, port: port)
        }
    }

    #if os(Linux)
    /// Whether the module sends or expects something.
    private var needsChannel: Bool { module.isSecure || !module.steps.isEmpty }

    /// Opens a connection, and closes it at once.
    private func shakeHands(with address: IPAddress, port: UInt16) {
        let request = probe.request(.tcp(host: "", port: port), to: address)
        probe.lane.awaitOutcome(of: request) { [probe] outcome in
            guard case .reply(let reply) = outcome else {
                return probe.fail("Error dialing TCP", ["err": outcome.logText])
            }
            let time = reply.roundTrip.map { request.made + $0 }
            probe.log(.debug, "Successfully dialed", at: time)
            probe.end(true, at: time)
        }
        do {
            handshake = try probe.lane.handshakes.begin(request, at: address)
        } catch {
            probe.fail("Error dialing TCP", ["err": Outcome(error, to: address).logText])
        }
    }
    #endif

    private var identity: PeerIdentity { PeerIdentity(module.tls.serverName ?? hostname ?? host) }

    private func connect(to address: IPAddress, port: UInt16) {
        let request = probe.request(.tcp(host: "", port: port), to: address)
        let configuration = Connection.Configuration(
            destination: Connector.Destination([address], port: port, for: request),
            identity: module.isSecure ? identity : nil,
            options: module.tls
        )
        let environment = probe.lane.environment
        let connection = Connection(configuration, stopwatch: Stopwatch(at: request.made), in: environment)
        self.connection = connection
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection, self.connection === connection, !probe.isOver else { return }
            switch event {
            case .open(let channel):
                probe.log(.debug, "Successfully dialed")
                if module.isSecure { probe.peer = BlackboxPeer(of: channel, connection.tls) }
                self.channel = channel
                do {
                    try channel.pipeline.syncOperations.addHandler(self)
                    perform()
                } catch {
                    probe.fail("Error dialing TCP", ["err": "closed"])
                }
            case .over(let outcome) where channel == nil:
                probe.fail("Error dialing TCP", ["err": outcome.logText])
            case .over(.failure(let failure)) where failure.reason == .closed:
                hasEnded = true
                perform()
            case .over(let outcome):
                probe.fail("Error reading from connection", ["err": outcome.logText])
            }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !probe.isOver else { return }
        received += unwrapInboundIn(data).readableBytesView
        perform()
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasEnded = true
        context.fireChannelInactive()
        perform()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard part == .handshake else { return context.fireErrorCaught(error) }
        if TLSClient.isUncleanClosure(error) { return }
        let outcome = upgrade?.rejection ?? Outcome(tls: error, to: connection?.address ?? IPAddress(ipv4: 0))
        probe.fail("TLS Handshake (client) failed", ["err": outcome.logText])
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event, part == .handshake { return handshakeCompleted() }
        context.fireUserInboundEventTriggered(event)
    }

    /// Performs the steps as far as the received bytes suffice.
    private func perform() {
        while !isBusy, !probe.isOver {
            guard let step = steps.first else { return probe.end(true) }
            switch part {
            case .expect:
                guard let pattern = step.expect else {
                    part = .expectBytes
                    continue
                }
                guard let line = nextLine() else { return waitForMore(of: pattern) }
                search(for: pattern, in: line, step)
            case .expectBytes:
                guard expectBytes(step.expectedBytes) else { return }
                part = .send
            case .send:
                if let text = step.send { send(groups.expanded(text)) }
                if !step.sentBytes.isEmpty { channel?.writeAndFlush(ByteBuffer(bytes: step.sentBytes), promise: nil) }
                part = .startTLS
            case .startTLS:
                guard step.startsTLS else {
                    nextStep()
                    continue
                }
                startTLS()
            case .handshake:
                return
            }
        }
    }

    private func nextStep() {
        steps.removeFirst()
        part = .expect
    }

    /// Returns the next line without its line end; nil until it has arrived. The last one may lack its line end.
    private func nextLine() -> [UInt8]? {
        guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else {
            guard hasEnded, !received.isEmpty else { return nil }
            defer { received = [] }
            return received
        }
        var line = Array(received[..<end])
        received.removeFirst(end + 1)
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }

    /// Handles that no line has matched so far.
    private func waitForMore(of pattern: BlackboxPattern) {
        if hasEnded {
            probe.report.isRegexFailure = true
            probe.fail("Regexp did not match", ["regexp": pattern.text])
        } else if received.count > Self.maxLineLength {
            probe.fail("Error reading from connection", ["err": "line too long"])
        }
    }

    private func search(for pattern: BlackboxPattern, in line: [UInt8], _ step: BlackboxTCPModule.Step) {
        let text = String(decoding: line, as: UTF8.self)
        probe.log(.debug, "Read line", ["line": text])
        isBusy = true
        let start = probe.lane.time()
        probe.lane.searches.match([(pattern, [line])]) { [self] result in
            guard !probe.isOver else { return }
            isBusy = false
            switch result {
            case .failure(let fault):
                return probe.fail("Regular expression failed", ["err": fault.detail])
            case .success([[true]]):
                probe.log(.debug, "Regexp matched", ["regexp": pattern.text, "line": text])
                probe.report.isRegexFailure = false
                let needsGroups = step.send?.contains("$") == true || !step.labels.isEmpty
                // A search runs on the event loop only if it is known to be short.
                if needsGroups, probe.lane.time() - start < .milliseconds(50) {
                    groups = PatternGroups(of: pattern, in: text)
                }
                if !step.labels.isEmpty {
                    probe.report.labels = step.labels.map {
                        BlackboxTCPModule.Step.Label($0.name, groups.expanded($0.value))
                    }
                }
                part = .expectBytes
            case .success:
                break
            }
            perform()
        }
    }

    /// Compares the next bytes. Returns whether they are as expected; waits for them, or ends the probe, if not.
    private func expectBytes(_ expected: [UInt8]) -> Bool {
        guard received.count >= expected.count else {
            if hasEnded { probe.fail("Read less data than expected") }
            return false
        }
        let bytes = received.prefix(expected.count)
        guard bytes.elementsEqual(expected) else {
            probe.report.isBytesFailure = true
            probe.fail("Bytes did not match", ["expected": expected.hexadecimal, "bytes": bytes.hexadecimal])
            return false
        }
        received.removeFirst(expected.count)
        return true
    }

    private func send(_ line: String) {
        probe.log(.debug, "Sending line", ["line": line])
        channel?.writeAndFlush(ByteBuffer(string: line + "\n"), promise: nil)
    }

    private func startTLS() {
        part = .handshake
        received = []
        isBusy = true
        probe.lane.contexts.makeClient(for: identity, module.tls) { [self] result in
            guard !probe.isOver else { return }
            isBusy = false
            do {
                let client = try result.get()
                upgrade = client
                if let channel { try client.addHandler(to: channel.pipeline.syncOperations, position: .first) }
            } catch {
                let reason = (error as? Fault)?.detail ?? "\(error)"
                probe.fail("Failed to create TLS configuration", ["err": reason])
            }
        }
    }

    private func handshakeCompleted() {
        guard let channel, let upgrade, !probe.isOver else { return }
        if case .reject(let outcome) = upgrade.decisionOnCompletion {
            return probe.fail("TLS Handshake (client) failed", ["err": outcome.logText])
        }
        probe.peer = BlackboxPeer(of: channel, upgrade)
        probe.log(.debug, "TLS Handshake (client) succeeded.")
        nextStep()
        perform()
    }

    private func close() {
        let connection = connection
        (self.connection, channel) = (nil, nil)
        connection?.drop()
        #if os(Linux)
        if let handshake { probe.lane.handshakes.cancel(handshake) }
        #endif
    }
}

/// The groups of a match, for templates in the notation of Go's `Regexp.Expand`.
struct PatternGroups {
    /// The whole match, then its groups; nil for a group without a match.
    private var groups: [String?] = []
    private var names: [String: Int] = [:]

    /// Groups that are all empty.
    init() {}

    /// Searches for a pattern in a text. The search takes time.
    init(of pattern: BlackboxPattern, in text: String) {
        for (index, group) in CompiledPattern(pattern.expression).groups(in: text).enumerated() {
            groups.append(group.text)
            if let name = group.name { names[name] = index }
        }
    }

    /// Replaces `$1`, `${1}`, `$name` and `${name}` by the groups, and `$$` by a dollar sign. A name is as long as
    /// possible; groups that do not exist are empty.
    func expanded(_ template: String) -> String {
        var result = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            guard character == "$" else {
                result.append(character)
                continue
            }
            if rest.first == "$" {
                rest.removeFirst()
                result += "$"
            } else if rest.first == "{", let end = rest.firstIndex(of: "}"),
                rest[..<end].dropFirst().allSatisfy(\.isInGroupName), rest[..<end].count > 1
            {
                result += group(rest[..<end].dropFirst())
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix(while: \.isInGroupName)
                guard !name.isEmpty else {
                    result += "$"
                    continue
                }
                result += group(name)
                rest = rest[name.endIndex...]
            }
        }
        return result
    }

    private func group(_ name: Substring) -> String {
        let index = Int(name) ?? names[String(name)]
        return index.flatMap { groups.indices.contains($0) ? groups[$0] : nil } ?? ""
    }
}

extension Character {
    fileprivate var isInGroupName: Bool { isASCII && (isLetter || isNumber) || self == "_" }
}

#endif
