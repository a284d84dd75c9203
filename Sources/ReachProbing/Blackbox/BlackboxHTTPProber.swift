#if Fetch

import NIOCore
import ReachBasics
import ReachMonitoring

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends the request of an HTTP module, and judges the response. Confined to its event loop.
final class BlackboxHTTPProber {
    let probe: BlackboxProbe
    let module: BlackboxHTTPModule
    /// The field `Host`, which the client can set.
    private let hostname: String?
    let stopwatch: Stopwatch
    var facts = BlackboxHTTPReport()
    private var firstLookup = Duration.zero
    private(set) var chain: HTTPRequestChain?
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
        guard case .http(let question) = parsed else { return probe.fail("Could not parse target URL") }
        probe.lane.read(module.files) { [self] result in
            guard !probe.isOver else { return }
            switch result {
            case .failure(let fault): probe.fail("Error creating request", ["err": fault.detail])
            case .success(let texts): resolve(withOptions(question, target.authorization, texts))
            }
        }
    }

    private func resolve(_ question: HTTPQuestion) {
        if module.leavesNameToProxy, question.proxy != nil { return start(question) }
        probe.resolve(question.host) { self.start(question, at: $0) }
    }

    /// Returns the request with the options of the module.
    ///
    /// - Parameters:
    ///   - targetAuthorization: that of the target, which counts before that of the module.
    ///   - texts: the texts of the module's files, by path.
    private func withOptions(
        _ question: HTTPQuestion,
        _ targetAuthorization: String?,
        _ texts: [String: String]
    ) -> HTTPQuestion {
        var question = question
        question.options.method = module.method
        question.options.headers = module.headers
        question.options.follow = module.follow
        question.options.proxies = module.proxies
        question.options.bodySent = module.body
        if let file = module.bodyFile { question.options.bodySent = texts[file] }
        question.tls = module.tls
        if let hostname {
            question.options.headers.removeAll { $0.name.lowercased() == "host" }
            question.options.headers.append(HTTPOptions.Header(name: "Host", value: hostname))
        }
        if question.tls.serverName == nil {
            question.tls.serverName = question.options.headers.last { $0.name.lowercased() == "host" }?.value
        }
        let hasCredentials = question.options.headers.contains { $0.name.lowercased() == "authorization" }
        if !hasCredentials, let value = targetAuthorization ?? module.authorization?.fieldValue(texts) {
            question.options.headers.append(HTTPOptions.Header(name: "Authorization", value: value))
        }
        return question
    }

    /// Sends the first request.
    ///
    /// - Parameter address: the address of its host; not needed for a proxy.
    private func start(_ question: HTTPQuestion, at address: IPAddress? = nil) {
        firstLookup = probe.report.lookup?.duration ?? .zero
        for phase in [Phase.connect, .tls, .processing, .transfer] { facts.phases[phase.rawValue] = .zero }
        if let proxy = question.proxy {
            lookUp(proxy.host) { [self] resolution in
                guard case .addresses(let addresses) = resolution else { return fail("no address of \(proxy.host)") }
                send(question, at: addresses)
            }
        } else if let address {
            send(question, at: [address])
        }
    }

    /// Resolves a host to its first address.
    private func lookUp(_ host: String, completion: @escaping (Resolution) -> Void) {
        probe.lookUp(host) { resolution in
            if case .addresses(let all) = resolution {
                completion(.addresses(Array(all.prefix(1))))
            } else {
                completion(resolution)
            }
        }
    }

    private func send(_ question: HTTPQuestion, at addresses: [IPAddress]) {
        let chain = HTTPRequestChain(
            of: question,
            at: addresses,
            for: probe.request(.http(question), to: addresses[0]),
            reading: reading,
            stopwatch: stopwatch,
            in: probe.lane.environment,
            resolve: { [weak self] in self?.lookUp($0, completion: $1) },
            record: { [weak self] in self?.record($0) }
        )
        self.chain = chain
        chain.start { [weak self] event in
            guard let self else { return }
            switch event {
            case .response(let response): receive(response)
            case .failed(.failure(let failure), let partial?): decompress(partial, failure)
            case .failed(let outcome, _): chain.explain(outcome) { [weak self] in self?.fail($0.logText) }
            }
        }
    }

    private var reading: HTTPExchange.Reading {
        let names = (module.headerNot + module.headerPatterns).map { $0.name.lowercased() }
        let isDecompressed = coding != nil
        return HTTPExchange.Reading(
            readsBody: true,
            keepsBody: isDecompressed || !module.bodyNot.isEmpty || !module.bodyPatterns.isEmpty,
            fields: Set(names).union(["content-length", "last-modified", "set-cookie", "transfer-encoding"]),
            bodyLimit: isDecompressed ? HTTPOptions.maxBodyLength : module.bodyLimit ?? .max,
            failsAboveLimit: true,
            skipsRedirects: true
        )
    }

    private func record(_ step: HTTPRequestChain.Step) {
        switch step {
        case .connecting(let question, let address):
            let fields: KeyValuePairs = ["host": question.host, "ip": "\(address)", "path": question.path]
            probe.log(.debug, "Making HTTP request", fields)
        case .connected(let channel, let client):
            peer = BlackboxPeer(of: channel, client)
        case .redirected(let location):
            facts.redirects += 1
            probe.log(.info, "Received redirect", ["location": location])
        }
    }

    private func receive(_ response: HTTPResponse) {
        guard response.isRedirect, let location = response.location else { return decompress(response, nil) }
        record(.redirected(to: location))
        probe.log(.info, "Not following redirect")
        judge(response, nil, isBodyRead: false)
    }

    private func expire() {
        guard let response = chain?.partialResponse else { return fail(chain?.outcomeAtTimeout.logText ?? "timeout") }
        chain?.close()
        decompress(response, Failure(.closed, detail: "timeout"))
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
        chain?.close()
    }
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

/// A small file of a module, such as one with a token. It is read for each probe.
struct BlackboxTextFile: CachedContent {
    static let cache = FileCache<BlackboxTextFile>()
    /// The largest size in bytes.
    private static let limit = 1_048_576

    let text: String
    /// Never: the file is read again even if it seems unchanged.
    let isValid = false

    init(reading path: String) throws(Fault) {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw Fault(.internal, detail: "cannot read \(path)")
        }
        guard data.count <= Self.limit else { throw Fault(.internal, detail: "\(path) is larger than 1 MiB") }
        text = String(decoding: data, as: UTF8.self)
    }

    static func paths(of path: String) -> [String] { [] }
    static func noResponse(of path: String) -> Fault { Fault(.internal, detail: "\(path) is still being read") }
}

extension BlackboxHTTPModule {
    /// The files that each probe needs.
    fileprivate var files: [String] {
        var files = [bodyFile].compactMap(\.self)
        switch authorization {
        case .basic(_, .file(let path)), .scheme(_, .file(let path)): files.append(path)
        case .basic, .scheme, nil: break
        }
        return files
    }
}

extension BlackboxAuthorization {
    /// Returns the value of the field `Authorization`.
    ///
    /// - Parameter texts: the texts of the module's files, by path.
    fileprivate func fieldValue(_ texts: [String: String]) -> String {
        switch self {
        case .basic(let user, let secret): "Basic \(Array("\(user):\(secret.text(texts))".utf8).base64)"
        case .scheme(let scheme, let secret): "\(scheme) \(secret.text(texts))"
        }
    }
}

extension BlackboxSecret {
    fileprivate func text(_ texts: [String: String]) -> String {
        switch self {
        case .text(let text): text
        case .file(let path): (texts[path] ?? "").trimmed
        }
    }
}

#endif
