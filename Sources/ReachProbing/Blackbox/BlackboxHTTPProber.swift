#if Fetch

import ReachMonitoring
import NIOCore
import ReachBasics

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends the request of an HTTP module, follows redirects, and judges the response. Confined to its event loop.
final class BlackboxHTTPProber {
    let probe: BlackboxProbe
    let module: BlackboxHTTPModule
    /// The field `Host`, which the client can set.
    private let hostname: String?
    let stopwatch: Stopwatch
    var facts = BlackboxHTTPReport()
    private var address: IPAddress?
    private var firstLookup = Duration.zero
    private(set) var question: HTTPQuestion?
    private var connection: Connection?
    private var exchange: BlackboxHTTPExchange?
    private var cookies = CookieJar()
    /// The reason of the failure if its cause is not found.
    private var unexplained: String?
    /// The peer of the current connection.
    private(set) var peer: BlackboxPeer?

    init(_ probe: BlackboxProbe, _ module: BlackboxHTTPModule, hostname: String?) {
        self.probe = probe
        self.module = module
        self.hostname = hostname
        stopwatch = Stopwatch(at: probe.start)
    }

    /// Starts the probe.
    func begin() {
        probe.report.isRegexFailure = false
        probe.report.http = facts
        probe.expire = { self.expire() }
        probe.close = { self.close() }
        let target = BlackboxHTTPTarget(probe.target)
        let parsed: Question
        do throws(URLProblem) {
            parsed = try Question(target.url)
        } catch {
            return probe.fail("Could not parse target URL", ["err": "\(error)"])
        }
        guard case .http(var question) = parsed else { return probe.fail("Could not parse target URL") }
        do throws(Fault) {
            try setOptions(of: &question, target.authorization)
        } catch {
            return probe.fail("Error creating request", ["err": error.detail])
        }
        if module.leavesNameToProxy, question.proxy != nil { return start(question) }
        probe.resolve(question.host) { address in
            self.address = address
            self.start(question)
        }
    }

    /// - Parameter targetAuthorization: that of the target, which counts before that of the module.
    private func setOptions(of question: inout HTTPQuestion, _ targetAuthorization: String?) throws(Fault) {
        question.options.method = module.method
        question.options.headers = module.headers
        question.options.follow = module.follow
        question.options.proxies = module.proxies
        question.options.bodySent = module.body
        if let file = module.bodyFile { question.options.bodySent = try BlackboxTextFile.text(of: file) }
        question.tls = module.tls
        if let hostname {
            question.options.headers.removeAll { $0.name.lowercased() == "host" }
            question.options.headers.append(HTTPOptions.Header(name: "Host", value: hostname))
        }
        if question.tls.serverName == nil {
            question.tls.serverName = question.options.headers.last { $0.name.lowercased() == "host" }?.value
        }
        let hasCredentials = question.options.headers.contains { $0.name.lowercased() == "authorization" }
        guard !hasCredentials else { return }
        var value = targetAuthorization
        if value == nil { value = try module.authorization?.fieldValue }
        if let value {
            question.options.headers.append(HTTPOptions.Header(name: "Authorization", value: value))
        }
    }

    /// Sends the first request.
    private func start(_ question: HTTPQuestion) {
        firstLookup = probe.report.lookup?.duration ?? .zero
        for phase in [Phase.connect, .tls, .processing, .transfer] { facts.phases[phase.rawValue] = .zero }
        connect(question)
    }

    /// Connects to the host of a request, or to the proxy for it.
    private func connect(_ question: HTTPQuestion) {
        let previous = self.question
        self.question = question
        let proxy = question.proxy
        // The address is that of the target's host, which a relative redirect leads to again.
        if proxy == nil, let address, previous == nil || previous?.host == question.host {
            return open(question, at: address, port: question.port)
        }
        let begin = probe.lane.time()
        probe.lane.lookUp(NameQuery(proxy?.host ?? question.host)) { [self] resolution in
            guard !probe.isOver else { return }
            if previous != nil { stopwatch.durations[.resolve, default: .zero] += probe.lane.time() - begin }
            guard case .addresses(let all) = resolution, let address = all.first else {
                return fail("no address of \(proxy?.host ?? question.host)")
            }
            if proxy == nil { self.address = address }
            open(question, at: address, port: proxy?.port ?? question.port)
        }
    }

    private func open(_ question: HTTPQuestion, at address: IPAddress, port: UInt16) {
        probe.log(.debug, "Making HTTP request", ["host": question.host, "ip": "\(address)", "path": question.path])
        let configuration = Connection.Configuration(
            destination: probe.destination(address, port: port),
            identity: question.isSecure ? PeerIdentity(question.tls.serverName ?? question.host) : nil,
            options: question.tls,
            tunnel: question.isSecure ? question.proxy.map { ProxyTunnel(through: $0, to: question) } : nil
        )
        let durations = stopwatch.durations
        let connection = probe.makeConnection(configuration, stopwatch: stopwatch)
        self.connection = connection
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection, self.connection === connection else { return }
            switch event {
            case .open(let channel):
                peer = question.isSecure ? BlackboxPeer(of: channel, connection.tls) : nil
                send(question, on: channel)
            case .over(let outcome) where exchange == nil:
                stopwatch.durations = durations
                fail(outcome.logText)
            case .over:
                // The exchange has seen the end of the connection.
                break
            }
        }
    }

    private func send(_ question: HTTPQuestion, on channel: any Channel) {
        let names = module.headerNot + module.headerPatterns
        let isDecompressed = coding != nil
        let exchange = BlackboxHTTPExchange(
            cookies.adding(to: question),
            checkedFields: Set(names.map { $0.name.lowercased() }),
            keepsBody: isDecompressed || !module.bodyNot.isEmpty || !module.bodyPatterns.isEmpty,
            bodyLimit: isDecompressed ? HTTPOptions.maxBodyLength : module.bodyLimit,
            stopwatch: stopwatch,
            time: probe.lane.time
        ) { [weak self] response, failure in
            self?.receive(response, failure)
        }
        self.exchange = exchange
        do {
            try exchange.start(on: channel)
        } catch {
            fail("closed")
        }
    }

    /// Handles the end of an exchange.
    private func receive(_ response: HTTPResponse?, _ failure: Failure?) {
        guard !probe.isOver, let question else { return }
        let connection = connection
        let inquiry = exchange?.isUnanswered == true ? connection?.http2Inquiry : nil
        (self.connection, exchange) = (nil, nil)
        if response?.isComplete == true { connection?.close() } else { connection?.drop() }
        guard let response else {
            let reason = failure?.detail ?? "closed"
            guard let inquiry else { return fail(reason) }
            return explain(reason, by: inquiry)
        }
        guard response.isRedirect, let location = response.location, !location.isEmpty else {
            return decompress(response, failure)
        }
        facts.redirects += 1
        probe.log(.info, "Received redirect", ["location": location])
        guard facts.redirects <= module.follow else {
            probe.log(.info, "Not following redirect")
            return judge(response, nil, isBodyRead: false)
        }
        var current = question
        current.options.follow = max(1, current.options.follow)
        guard var next = current.redirected(by: response.status, to: location) else {
            return fail("invalid redirect")
        }
        next.options.follow = module.follow
        cookies.store(response.cookies, from: question, at: probe.lane.contexts.now)
        connect(next)
    }

    /// Finds out whether a server that closes connections after their handshake speaks only HTTP/2, and ends the probe.
    private func explain(_ reason: String, by inquiry: Connection.Configuration) {
        unexplained = reason
        let connection = probe.makeConnection(inquiry, stopwatch: Stopwatch(at: probe.lane.time()))
        self.connection = connection
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection, self.connection === connection else { return }
            let speaksHTTP2 = if case .open = event { connection.negotiatedProtocol == "h2" } else { false }
            fail(speaksHTTP2 ? Failure.onlyHTTP2.detail : reason)
        }
    }

    private func expire() {
        if let unexplained { return fail(unexplained) }
        guard let exchange, let response = exchange.response else { return fail("timeout") }
        exchange.stop()
        receive(response, Failure(.closed, detail: "timeout"))
    }

    /// Ends the probe without a response.
    private func fail(_ reason: String) {
        probe.log(.error, "Error for HTTP request", ["err": reason])
        finish(false)
    }

    func finish(_ isSuccess: Bool) {
        facts.phases["resolve"] = firstLookup + (stopwatch.durations[.resolve] ?? .zero)
        for phase in [Phase.connect, .tls, .processing, .transfer] {
            facts.phases[phase.rawValue] = stopwatch.durations[phase] ?? .zero
        }
        probe.report.http = facts
        probe.end(isSuccess)
    }

    private func close() {
        // A failed lookup ends the probe before its phases exist.
        if facts.phases.isEmpty, let lookup = probe.report.lookup {
            facts.phases["resolve"] = lookup.duration
            probe.report.http = facts
        }
        exchange?.stop()
        exchange = nil
        let connection = connection
        self.connection = nil
        connection?.drop()
    }
}

extension HTTPResponse {
    /// Whether the status is that of a redirect.
    fileprivate var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

/// The target of an HTTP probe as a client of `/probe` writes it, in the forms that blackbox_exporter accepts: without a
/// scheme, with a user and a password, with a fragment, and with characters that are to be percent-encoded.
struct BlackboxHTTPTarget {
    /// The URL to probe, without user, password and fragment.
    let url: String
    /// The value of the field `Authorization` for the user and the password; nil without them.
    let authorization: String?

    init(_ text: String) {
        let start = text.prefix(8).lowercased()
        let scheme = ["https://", "http://"].first(where: start.hasPrefix).map { text.prefix($0.count) }
        let rest = Substring(text.utf8.dropFirst(scheme?.utf8.count ?? 0).prefix { $0 != UInt8(ascii: "#") })
        let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        var authority = rest[..<end]
        var authorization: String?
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, password) = (user.first?.percentDecodedBytes, user.count == 2 ? user[1].percentDecodedBytes : [])
            if let name, let password { authorization = "Basic \((name + [UInt8(ascii: ":")] + password).base64)" }
            // An invalid escape stays in the URL, which is then refused.
            if authorization != nil { authority = authority[authority.index(after: at)...] }
        }
        url = "\(scheme ?? "http://")\(authority)\(rest[end...].escapedForRequest)"
        self.authorization = authorization
    }
}

extension Substring {
    /// The path and the query with the characters percent-encoded that no URL has. Escapes stay, and so do control
    /// characters, which are refused.
    fileprivate var escapedForRequest: String {
        guard unicodeScalars.contains(where: \.isEncoded) else { return String(self) }
        return unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isEncoded ? String(scalar).percentEncoded : String(scalar)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isEncoded: Bool {
        switch self {
        case " ", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": true
        default: value >= 0x80
        }
    }
}

/// A small file of a module, such as one with a token.
enum BlackboxTextFile {
    /// The largest size in bytes.
    static let limit = 1_048_576

    /// Reads a file of text.
    static func text(of path: String) throws(Fault) -> String {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Fault(.internal, detail: "cannot read \(path)")
        }
        guard data.count <= limit else { throw Fault(.internal, detail: "\(path) is larger than 1 MiB") }
        return String(decoding: data, as: UTF8.self)
    }
}

extension BlackboxSecret {
    /// The secret.
    var text: String {
        get throws(Fault) {
            switch self {
            case .text(let text): text
            case .file(let path): try BlackboxTextFile.text(of: path).trimmed
            }
        }
    }
}

extension BlackboxAuthorization {
    /// The value of the field `Authorization`.
    var fieldValue: String {
        get throws(Fault) {
            switch self {
            case .basic(let user, let secret): "Basic \(Array("\(user):\(try secret.text)".utf8).base64)"
            case .scheme(let scheme, let secret): "\(scheme) \(try secret.text)"
            }
        }
    }
}

#endif
