import NIOHTTP1
import ReachBasics
import ReachMonitoring
import ReachProbing
import ReachReporting
import Synchronization

/// Answers `GET /probe` like Prometheus's blackbox exporter: probes the target of the request by a module of the settings.
final class ProbeEndpoint: Sendable {
    /// The path of the endpoint.
    static let path = "/probe"
    /// The content type of metrics.
    private static let contentType = MetricsFormat.text.contentType

    private let prober: BlackboxProber
    private let table: Mutex<BlackboxTable>

    /// The modules by name, and whether the path exists.
    private struct BlackboxTable {
        var modules: [String: BlackboxModule] = [:]
        var isEnabled: Bool
    }

    /// - Parameters:
    ///   - limit: The maximum number of probes in flight.
    ///   - hasFile: Whether there is a file for modules, even if it has none.
    init(limit: Int, hasFile: Bool = false) {
        prober = BlackboxProber(limit: limit)
        table = Mutex(BlackboxTable(isEnabled: hasFile))
    }

    /// Whether the path exists: there have been modules, or there is a file for them. The path stays when all modules are
    /// removed, and so does the one for a reload.
    var isEnabled: Bool { table.withLock(\.isEnabled) }

    /// Replaces the modules. Probes in flight keep theirs.
    func setModules(_ modules: [BlackboxModule]) {
        let named = Dictionary(modules.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        table.withLock { table in
            table.modules = named
            if !named.isEmpty { table.isEnabled = true }
        }
    }

    /// Probes the target of a request, and returns the metrics: with status 200, whether the probe succeeds or fails.
    func response(to request: HTTPRequestHead) async -> HTTPServerResponse {
        let probe: BlackboxRequest
        do throws(BlackboxRequest.Rejection) {
            probe = try BlackboxRequest(request, modules: table.withLock(\.modules))
        } catch {
            return HTTPServerResponse(error.status, text: error.text + "\n")
        }
        let report = await prober.report(
            on: probe.target,
            by: probe.module,
            hostname: probe.hostname,
            timeout: probe.timeout,
            hasLog: probe.isDebug
        )
        guard let report else {
            return HTTPServerResponse(
                .serviceUnavailable,
                text: "\(prober.limit) probes are in progress, try again later\n"
            )
        }
        guard probe.isDebug else {
            var response = HTTPServerResponse(type: Self.contentType, text: BlackboxExposition(report).text)
            // Prometheus requests the probes of thousands of targets one after the other.
            response.keepsConnection = true
            return response
        }
        return HTTPServerResponse(text: BlackboxDebugText(report, of: probe.target, by: probe.module).text)
    }
}

/// The parameters of `GET /probe`. Invalid ones have the error texts of Prometheus's blackbox exporter.
struct BlackboxRequest: Sendable, Hashable {
    /// A response to an invalid request.
    struct Rejection: Error, Hashable {
        let status: HTTPResponseStatus
        let text: String
    }

    /// The module of a request that names none.
    static let defaultModule = "http_2xx"
    /// The longest timeout, in seconds, and that of a client that sends none.
    private static let longestTimeout = 120.0
    /// The part of the scrape's timeout that is left for the response.
    private static let timeoutOffset = 0.5

    let module: BlackboxModule
    let target: String
    /// The name of the server, for a target that is an address.
    let hostname: String?
    let timeout: Duration
    let isDebug: Bool

    /// Parses the query and the header fields of a request.
    init(_ request: HTTPRequestHead, modules: [String: BlackboxModule]) throws(Rejection) {
        let parameters = Parameters(of: request.uri)
        let name = try parameters.value(of: "module").flatMap { $0.isEmpty ? nil : $0 } ?? Self.defaultModule
        guard let module = modules[name] else {
            throw Rejection(status: .badRequest, text: "Unknown module \(name.quotedForLog)")
        }
        if case .unsupported(let reason) = module.prober { throw Rejection(status: .badRequest, text: reason) }
        self.module = module
        timeout = try Self.timeout(request.headers.first(name: "X-Prometheus-Scrape-Timeout-Seconds"), module)
        guard let target = try parameters.value(of: "target"), !target.isEmpty else {
            throw Rejection(status: .badRequest, text: "Target parameter is missing")
        }
        guard !target.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw Rejection(status: .badRequest, text: "Control character in the target")
        }
        self.target = target
        hostname = try Self.hostname(parameters.value(of: "hostname"), module)
        isDebug = try parameters.value(of: "debug") == "true"
    }

    /// The shorter of the module's timeout and that of the scrape, of which half a second is left for the response.
    private static func timeout(_ field: String?, _ module: BlackboxModule) throws(Rejection) -> Duration {
        var limit = 0.0
        // NIO's parser keeps trailing blanks.
        var field = field?[...] ?? ""
        while field.last == " " || field.last == "\t" { field.removeLast() }
        if !field.isEmpty {
            guard let seconds = Double(field) else {
                let text = "Failed to parse timeout from Prometheus header: \(String(field).quotedForLog)"
                throw Rejection(status: .internalServerError, text: text)
            }
            limit = seconds
        }
        // Negated, so that NaN is no limit either.
        if !(limit > 0 && limit <= longestTimeout) { limit = longestTimeout }
        let rest = Duration.nanoseconds(Int64((limit - timeoutOffset) * 1e9))
        guard let timeout = module.timeout else { return max(rest, .milliseconds(1)) }
        return rest < .zero ? timeout : min(timeout, rest)
    }

    /// The name of the server, unless the module has another one.
    private static func hostname(_ name: String?, _ module: BlackboxModule) throws(Rejection) -> String? {
        guard let typed = name, !typed.isEmpty else { return nil }
        let name = (try? typed.convertedDomainName) ?? typed
        guard !name.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
            throw Rejection(status: .badRequest, text: "Blank or control character in the hostname")
        }
        guard case .http(let http) = module.prober,
            let header = http.headers.first(where: { $0.name.lowercased() == "host" }), header.value != name
        else { return name }
        let text = "host header defined both in module configuration and with URL-parameter 'hostname' (\(name))"
        throw Rejection(status: .badRequest, text: text)
    }
}

/// The parameters of a query. A value is decoded when it is read.
private struct Parameters {
    private var pairs: [(name: String, value: Substring.UTF8View)] = []

    init(of uri: String) {
        let query = uri.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst().prefix { $0 != UInt8(ascii: "#") }
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            if let name = pair[..<end].formDecoded { pairs.append((name, pair[end...].dropFirst())) }
        }
    }

    /// The first value of a parameter that can be decoded; nil if the query does not have the parameter.
    func value(of name: String) throws(BlackboxRequest.Rejection) -> String? {
        let values = pairs.filter { $0.name == name }.map(\.value)
        for value in values {
            if let text = value.formDecoded { return text }
        }
        guard !values.isEmpty else { return nil }
        let parameter = name.prefix(1).uppercased() + name.dropFirst()
        let text = "\(parameter) parameter is not UTF-8, or has an invalid escape"
        throw BlackboxRequest.Rejection(status: .badRequest, text: text)
    }
}

extension Substring.UTF8View {
    /// The text of a form: `+` stands for a blank, `%` and two digits for a byte. Nil for invalid escapes.
    fileprivate var formDecoded: String? {
        let (blank, plus) = (UInt8(ascii: " "), UInt8(ascii: "+"))
        guard contains(where: { $0 == UInt8(ascii: "%") || $0 == plus }) else { return String(Substring(self)) }
        return String(decoding: map { $0 == plus ? blank : $0 }, as: UTF8.self).percentDecoded
    }
}

extension String {
    /// The text in quotation marks, without control characters, and truncated to 100 characters.
    fileprivate var quotedForLog: String {
        let shown = prefix(100).unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : String($0) }
        return "\"\(shown.joined())\""
    }
}
