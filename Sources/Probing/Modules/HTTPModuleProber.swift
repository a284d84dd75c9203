#if Fetch
import Monitoring
import NIOCore

/// Sends the request of an HTTP module, follows redirects, and judges the response. Confined to its event loop.
final class HTTPModuleProber {
    private let probe: ModuleProbe
    private let module: HTTPModule
    /// The field `Host`, which the client can set.
    private let hostname: String?
    private let stopwatch: Stopwatch
    private var facts = HTTPModuleReport()
    private var address: IPAddress?
    private var firstLookup = Duration.zero
    private var question: HTTPQuestion?
    private var connection: Connection?
    private var exchange: HTTPModuleExchange?
    private var cookies = ModuleCookies()
    /// The peer of the current connection.
    private var peer: ModulePeer?

    init(_ probe: ModuleProbe, _ module: HTTPModule, hostname: String?) {
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
        let target = HTTPModuleTarget(probe.target)
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
        if let file = module.bodyFile { question.options.bodySent = try ModuleFile.text(of: file) }
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
        connection.dial(on: probe.loop) { [weak self, weak connection] event in
            guard let self, let connection, self.connection === connection else { return }
            switch event {
            case .open(let channel):
                peer = question.isSecure ? ModulePeer(of: channel, connection.tls) : nil
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
        let exchange = HTTPModuleExchange(
            question,
            checkedFields: Set(names.map { $0.name.lowercased() }),
            keepsBody: !module.bodyNot.isEmpty || !module.bodyPatterns.isEmpty,
            bodyLimit: module.bodyLimit,
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
        (self.connection, exchange) = (nil, nil)
        if response?.isComplete == true { connection?.close() } else { connection?.drop() }
        guard let response else { return fail(failure?.detail ?? "closed") }
        guard response.isRedirect, let location = response.location, !location.isEmpty else {
            return judge(response, failure)
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
        cookies.add(response.fields, from: question.host)
        next.options.headers = cookies.adding(to: next.options.headers, for: next.host)
        connect(next)
    }

    private func expire() {
        guard let exchange, let response = exchange.response else { return fail("timeout") }
        exchange.stop()
        receive(response, Failure(.closed, detail: "timeout"))
    }

    /// Ends the probe without a response.
    private func fail(_ reason: String) {
        probe.log(.error, "Error for HTTP request", ["err": reason])
        finish(false)
    }

    private func finish(_ isSuccess: Bool) {
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

// MARK: Judging

extension HTTPModuleProber {
    /// Judges the last response.
    ///
    /// - Parameter failure: Why the body is incomplete; nil if it is complete, or not needed.
    private func judge(_ response: HTTPResponse, _ failure: Failure?, isBodyRead: Bool = true) {
        record(response, isBodyRead: isBodyRead)
        if isBodyRead { stopwatch.end(.transfer, at: probe.lane.time()) }
        var isSuccess = isExpected(response.status)
        if isSuccess, let missing = missingField(in: response) {
            probe.log(.error, "Missing required header", ["header": missing])
            probe.report.isRegexFailure = true
            isSuccess = false
        }
        let hasBodyPatterns = !module.bodyNot.isEmpty || !module.bodyPatterns.isEmpty
        let isUnread = hasBodyPatterns && (failure != nil || !isBodyRead)
        let headerSearches = (module.headerNot + module.headerPatterns).map { match in
            let name = match.name.lowercased()
            let values = response.fields.filter { $0.name == name }.map { Array($0.value.utf8) }
            return (pattern: match.pattern, texts: values)
        }
        let body = Array(response.body.readableBytesView)
        let bodySearches = isUnread ? [] : (module.bodyNot + module.bodyPatterns).map { (pattern: $0, texts: [body]) }
        guard isSuccess, !headerSearches.isEmpty || hasBodyPatterns else {
            return conclude(response, failure, isSuccess)
        }
        probe.lane.match(headerSearches + bodySearches) { [self] result in
            guard !probe.isOver else { return }
            switch result {
            case .failure(let fault):
                probe.log(.error, "Regular expression failed", ["err": fault.detail])
                isSuccess = false
            case .success(let matches):
                isSuccess =
                    isExpected(headers: matches, of: response) && !isUnread
                    && isExpected(body: Array(matches[headerSearches.count...]))
                if isUnread { probe.log(.error, "Error reading HTTP body") }
            }
            probe.report.isRegexFailure = !isSuccess
            conclude(response, failure, isSuccess)
        }
    }

    private func record(_ response: HTTPResponse, isBodyRead: Bool) {
        facts.status = response.status
        facts.version = response.version
        facts.contentLength = response.contentLength(answering: question?.options.method ?? module.method)
        facts.bodyLength = isBodyRead ? response.length : 0
        facts.isSecure = question?.isSecure ?? false
        probe.peer = peer
        let date = response.fields.first { $0.name == "last-modified" }
        facts.lastModified = date.flatMap { HTTPDate($0.value, now: probe.lane.contexts.now)?.seconds }
        probe.log(.debug, "Received HTTP response", ["status_code": "\(response.status)"])
    }

    private func isExpected(_ status: Int) -> Bool {
        let isExpected = module.status.isEmpty ? 200...299 ~= status : module.status.contains(status)
        if !isExpected { probe.log(.error, "Invalid HTTP response status code", ["status_code": "\(status)"]) }
        return isExpected
    }

    /// The name of a field that the response must have, and lacks.
    private func missingField(in response: HTTPResponse) -> String? {
        (module.headerNot + module.headerPatterns).first { match in
            !match.mayBeMissing && !response.fields.contains { $0.name == match.name.lowercased() }
        }?.name
    }

    private func isExpected(headers matches: [[Bool]], of response: HTTPResponse) -> Bool {
        for (match, results) in zip(module.headerNot, matches) where results.contains(true) {
            probe.log(
                .error,
                "Header matched regular expression",
                ["header": match.name, "regexp": match.pattern.text]
            )
            return false
        }
        for (match, results) in zip(module.headerPatterns, matches.dropFirst(module.headerNot.count)) {
            guard !results.isEmpty, !results.contains(true) else { continue }
            let fields: KeyValuePairs = ["header": match.name, "regexp": match.pattern.text]
            probe.log(.error, "Header did not match regular expression", fields)
            return false
        }
        return true
    }

    private func isExpected(body matches: [[Bool]]) -> Bool {
        for (pattern, results) in zip(module.bodyNot, matches) where results == [true] {
            probe.log(.error, "Body matched regular expression", ["regexp": pattern.text])
            return false
        }
        for (pattern, results) in zip(module.bodyPatterns, matches.dropFirst(module.bodyNot.count))
        where results == [false] {
            probe.log(.error, "Body did not match regular expression", ["regexp": pattern.text])
            return false
        }
        return true
    }

    /// Judges what does not depend on patterns, and ends the probe.
    private func conclude(_ response: HTTPResponse, _ failure: Failure?, _ isExpected: Bool) {
        var isSuccess = isExpected
        if let failure {
            probe.log(.error, "Failed to read HTTP response body", ["err": failure.detail])
            isSuccess = false
        }
        let version = "HTTP/\(response.version)"
        if !module.versions.isEmpty, !module.versions.contains(version) {
            probe.log(.error, "Invalid HTTP version number", ["version": version])
            isSuccess = false
        }
        if facts.isSecure, module.failsIfTLS {
            probe.log(.error, "Final request was over SSL")
            isSuccess = false
        } else if !facts.isSecure, module.failsIfNotTLS, isSuccess {
            probe.log(.error, "Final request was not over SSL")
            isSuccess = false
        }
        finish(isSuccess)
    }
}

extension HTTPResponse {
    /// Whether the status is that of a redirect.
    fileprivate var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The length of the content; -1 if the response does not declare it.
    fileprivate func contentLength(answering method: String) -> Int {
        if method != "HEAD", status == 204 || status == 304 { return 0 }
        return fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? -1
    }
}
#endif
