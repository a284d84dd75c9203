#if Fetch

import NIOCore
import NIOSSL
import ReachMonitoring

/// A probe of a module in flight: its time, its report and its log. Confined to its event loop.
final class BlackboxProbe {
    let lane: BlackboxLane
    let module: BlackboxModule
    /// The target as the client named it.
    let target: String
    let start: Duration
    let deadline: Duration
    /// Identifies the outcomes of its requests.
    private let id: Target.ID
    var report: BlackboxReport
    /// The peer of the last TLS connection.
    var peer: BlackboxPeer?
    /// Called at the deadline; ends the probe.
    var expire: () -> Void = {}
    /// Closes the sockets.
    var close: () -> Void = {}
    private let hasLog: Bool
    private var completion: ((BlackboxReport) -> Void)?
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - hasLog: whether the report has a log.
    ///   - completion: called once with the report, unless the probe is cancelled.
    init(
        of target: String,
        by module: BlackboxModule,
        timeout: Duration,
        hasLog: Bool,
        on lane: BlackboxLane,
        completion: @escaping (BlackboxReport) -> Void
    ) {
        self.lane = lane
        self.module = module
        self.target = target
        self.hasLog = hasLog
        self.completion = completion
        start = lane.time()
        deadline = start + timeout
        id = lane.makeTarget()
        report = BlackboxReport(timeout: timeout)
    }

    /// Whether the probe has ended. Events of sockets that are being closed are ignored.
    private(set) var isOver = false

    /// Starts the probe.
    func begin(hostname: String?) {
        timer = lane.gate.schedule(in: deadline - lane.time()) { [self] in expire() }
        log(
            .debug,
            "Beginning probe",
            ["probe": module.prober.name, "timeout_seconds": "\(Double(report.timeout.nanoseconds) / 1e9)"]
        )
        switch module.prober {
        case .http(let http): BlackboxHTTPProber(self, http, hostname: hostname).begin()
        case .tcp(let tcp): BlackboxTCPProber(self, tcp, hostname: hostname).begin()
        case .dns(let dns): BlackboxDNSProber(self, dns).begin()
        case .icmp(let icmp): BlackboxICMPProber(self, icmp).begin()
        case .unsupported(let reason): fail(reason)
        }
    }

    /// Adds a line to the log, if there is one.
    ///
    /// - Parameter time: the time of the line; nil for now.
    func log(
        _ level: BlackboxReport.LogLine.Level,
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:],
        at time: Duration? = nil
    ) {
        guard hasLog else { return }
        let line = BlackboxReport.LogLine(
            time: (time ?? lane.time()) - start,
            level: level,
            message: message(),
            fields: fields().map { (name: $0.key, value: $0.value) }
        )
        report.log.append(line)
    }

    /// Logs an error, and ends the probe.
    func fail(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        log(.error, message(), fields())
        end(false)
    }

    /// Ends the probe.
    ///
    /// - Parameter time: when the result came; nil for now.
    func end(_ isSuccess: Bool, at time: Duration? = nil) {
        guard !isOver else { return }
        isOver = true
        close()
        report.isSuccess = isSuccess
        report.duration = (time ?? lane.time()) - start
        report.tls = peer?.report
        let completion = completion
        stop()
        completion?(report)
    }

    /// Ends the probe without a report.
    func cancel() {
        guard completion != nil else { return }
        isOver = true
        close()
        stop()
    }

    private func stop() {
        timer?.cancel()
        lane.ignore(id)
        completion = nil
        // The closures retain the prober, which retains the probe.
        expire = {}
        close = {}
    }

    /// Resolves the host of the target to the address of the preferred family, or else to the other one. Ends the probe if
    /// there is none.
    func resolve(_ typed: String, then: @escaping (IPAddress) -> Void) {
        let host = (try? typed.convertedDomainName) ?? typed
        let preferred = module.family
        log(.debug, "Resolving target address", ["host": host, "ip_protocol": preferred.rawValue])
        let begin = lane.time()
        report.lookup = BlackboxReport.Lookup(duration: .zero)
        lookUp(host, family: module.hasFallback ? .any : preferred) { [self] resolution in
            report.lookup?.duration = lane.time() - begin
            guard case .addresses(let all) = resolution, let first = all.first(where: preferred.admits) ?? all.first
            else { return end(false) }
            report.lookup?.address = first.bytes
            log(.debug, "Resolved target address", ["host": host, "ip": "\(first)"])
            then(first)
        }
    }

    /// Looks a host up, and calls `completion` at once or later, unless the probe is over. Logs the reason of a failure.
    func lookUp(_ host: String, family: Family = .any, completion: @escaping (Resolution) -> Void) {
        lane.lookUp(NameQuery(host, family: family), until: deadline) { [self] resolution in
            guard !isOver else { return }
            if let reason = resolution.failureText {
                log(.error, "Resolution with IP protocol failed", ["host": host, "err": reason])
            }
            completion(resolution)
        }
    }

    /// Returns a probe of an address as a prober of targets sends it, for the rest of the time.
    func request(_ question: Question, to address: IPAddress) -> Probe {
        let now = lane.time()
        return Probe(
            target: id,
            watch: 0,
            sequence: 1,
            question: question,
            source: module.source,
            timeout: deadline - now,
            made: now,
            address: address
        )
    }
}

extension Resolution {
    /// Why there is no address; nil if there is one.
    fileprivate var failureText: String? {
        switch self {
        case .addresses: nil
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.detail
        }
    }
}

extension Outcome {
    /// The outcome in words, for a log.
    var logText: String {
        switch self {
        case .reply: "reply"
        case .timeout: "timeout"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.detail
        }
    }
}

/// The peer of a TLS connection of a module, with the certificates that it sent.
struct BlackboxPeer {
    /// The certificates in DER, the peer's own first.
    let chain: [[UInt8]]
    private let version: String
    /// When the verified chain expires; nil if it is not verified.
    private let chainExpiry: Int64?

    /// Describes the peer of a channel after its handshake.
    init?(of channel: any Channel, _ client: TLSClient?) {
        guard let client, !client.chain.isEmpty,
            let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
        else { return nil }
        chain = client.chain
        if case .accept(let certificate) = client.decisionOnCompletion, !client.verification.acceptsAnything {
            chainExpiry = certificate?.expiry
        } else {
            chainExpiry = nil
        }
        version =
            switch handler.tlsVersion {
            case .tlsv1: "TLS 1.0"
            case .tlsv11: "TLS 1.1"
            case .tlsv12: "TLS 1.2"
            case .tlsv13: "TLS 1.3"
            default: "unknown"
            }
    }

    /// The description for the report; nil for a malformed certificate.
    var report: BlackboxTLSReport? {
        guard let certificate = PeerCertificate(der: chain) else { return nil }
        let leaf = certificate.leaf
        let names = (try? leaf.alternativeNames()) ?? []
        return BlackboxTLSReport(
            version: version,
            earliestExpiry: certificate.earliestExpiry,
            chainExpiry: chainExpiry,
            fingerprint: SHA256Hasher.digest(of: chain[0]).hexadecimal,
            subject: DistinguishedName(der: leaf.subject).description,
            issuer: DistinguishedName(der: leaf.issuer).description,
            names: names.filter { $0.tag == 2 }.map { String(decoding: $0.bytes, as: UTF8.self) },
            serialNumber: leaf.serialNumber.drop { $0 == 0 }.hexadecimal
        )
    }
}

/// A target of the form `HOST:PORT` or `[V6]:PORT`.
enum HostPort {
    /// Parses a target. The port is nil if the target has none; the result is nil for a target with an invalid port, or with
    /// colons that are not that of a port.
    ///
    /// An international name becomes its form in ASCII; one that is invalid stays, and is not found.
    static func parse(_ text: String) -> (host: String, port: UInt16?)? {
        guard let (host, port) = split(text) else { return nil }
        return ((try? host.convertedDomainName) ?? host, port)
    }

    private static func split(_ text: String) -> (host: String, port: UInt16?)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let host = String(text[..<end].dropFirst())
            let rest = text[text.index(after: end)...]
            guard !rest.isEmpty else { return (host, nil) }
            guard rest.first == ":", let port = port(rest.dropFirst()) else { return nil }
            return (host, port)
        }
        let colons = text.count { $0 == ":" }
        guard colons == 1, let colon = text.firstIndex(of: ":") else {
            // A bare IPv6 address has no port.
            return colons == 0 || IPAddress(literal: text) != nil ? (text, nil) : nil
        }
        guard let port = port(text[text.index(after: colon)...]) else { return nil }
        return (String(text[..<colon]), port)
    }

    private static func port(_ text: Substring) -> UInt16? {
        text.allSatisfy { ("0"..."9").contains($0) } ? UInt16(text) : nil
    }
}

#endif
