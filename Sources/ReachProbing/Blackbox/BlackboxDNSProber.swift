#if Fetch

import ReachMonitoring

/// Sends the query of a DNS module, and validates the answer. Confined to its event loop.
final class BlackboxDNSProber {
    private let probe: BlackboxProbe
    private let module: BlackboxDNSModule
    private var facts = BlackboxReport.DNS()
    private var host = ""
    private var exchange: DNSExchange?
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
        probe.close = { self.exchange?.close() }
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
        let query = DNSQuery(
            id: id,
            name: name,
            type: module.type,
            recordClass: module.recordClass,
            desiresRecursion: module.desiresRecursion,
            hasOptions: false
        )
        let transport = "\(module.transport.rawValue)\(address.family == .ipv4 ? 4 : 6)\(module.isSecure ? "-tls" : "")"
        probe.log(
            .debug,
            "Making DNS query",
            [
                "target": "\(address.inHostPort):\(port)", "dial_protocol": transport, "query": module.name,
                "type": "\(module.type)", "class": "\(module.recordClass)",
            ]
        )
        let begin = probe.lane.time()
        var server = DNSServer(address: address, port: port)
        do {
            server.origin = try probe.module.source.map { source throws(Fault) in try Origin(source, toward: address) }
        } catch {
            return fail(error.detail)
        }
        let isStream = module.transport == .tcp || module.isSecure
        let exchange = DNSExchange(
            in: probe.lane.environment,
            receive: { [weak self] in self?.receive($0, isDatagram: !isStream) },
            fail: { [weak self] in self?.fail($0.logText) }
        )
        self.exchange = exchange
        if !isStream { sent = begin }
        exchange.send(
            query.message,
            to: server,
            by: isStream ? .stream : .datagram,
            until: probe.deadline,
            security: module.isSecure
                ? DNSExchange.Security(identity: PeerIdentity(module.tls.serverName ?? host), options: module.tls)
                : nil,
            connected: { [weak self] in self?.connected(after: begin) }
        )
    }

    private func connected(after begin: Duration) {
        let now = probe.lane.time()
        facts.phases["connect"] = now - begin
        sent = now
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
            facts.serial = message.serial ?? 0
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
            ("Answer", module.answer, message.answers),
            ("Authority", module.authority, message.authorities),
            ("Additional", module.additional, message.additions),
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
}

extension IPAddress {
    /// The address before a port, with brackets around an IPv6 address.
    fileprivate var inHostPort: String { family == .ipv4 ? "\(self)" : "[\(self)]" }
}

#endif
