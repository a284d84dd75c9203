public import Monitoring

/// The proxies of the environment, as curl reads them (curl(1), "Environment"): `http_proxy`, `https_proxy` or `HTTPS_PROXY`,
/// `all_proxy` or `ALL_PROXY` for what has none of its own, and `no_proxy` or `NO_PROXY` for whom to ask without one.
///
/// `HTTP_PROXY` is not heeded: a web server hands its CGI scripts a client's `Proxy` field by that name. A variable that is empty is
/// as good as none.
public struct Proxies: Sendable, Hashable {
    private struct Variable: Sendable, Hashable {
        let name: String
        let value: String
    }

    private let plain: Variable?
    private let secure: Variable?
    private let exceptions: ProxyExceptions

    /// No proxy for anybody.
    public static let none = Proxies(environment: [:])

    /// Reads the environment; whether a proxy is well written shows when it is wanted.
    public init(environment: [String: String]) {
        let first = { (names: [String]) in
            names.lazy.compactMap { name in environment[name].map { Variable(name: name, value: $0) } }
                .first { !$0.value.isEmpty }
        }
        let rest = ["all_proxy", "ALL_PROXY"]
        plain = first(["http_proxy"] + rest)
        secure = first(["https_proxy", "HTTPS_PROXY"] + rest)
        exceptions = ProxyExceptions(first(["no_proxy", "NO_PROXY"])?.value ?? "")
    }

    /// Through whom a host is asked; nil where it is asked directly.
    public func proxy(for question: HTTPQuestion) throws(ProxyProblem) -> Proxy? {
        guard let variable = question.isSecure ? secure : plain, !exceptions.contain(question.host)
        else { return nil }
        return try Self.proxy(variable)
    }

    /// `[http://][USER:PASSWORD@]HOST[:PORT][/]`; the port that curl takes for granted is 1080.
    private static func proxy(_ variable: Variable) throws(ProxyProblem) -> Proxy {
        func problem(_ words: String) -> ProxyProblem {
            ProxyProblem(description: "\(variable.name): \(words) – such as http://proxy.example:3128")
        }
        var rest = variable.value[...]
        if let separator = rest.firstRange(of: "://") {
            let scheme = rest[..<separator.lowerBound]
            guard scheme.lowercased() == "http" else {
                throw problem("a proxy is asked by http://, not by \(scheme)://")
            }
            rest = rest[separator.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        var credentials: String?
        if let at = rest.lastIndex(of: "@") {
            guard let plain = rest[..<at].percentDecoded else {
                throw problem("user or password have a \"%\" that no two digits follow")
            }
            credentials = plain
            rest = rest[rest.index(after: at)...]
        }
        do throws(URLProblem) {
            guard case .http(let place) = try Question("http://\(rest)"), place.path == "/" else {
                throw URLProblem("\"\(rest)\" is no host")
            }
            // A port that a URL need not name is another one here.
            let isNamed = rest.hasSuffix(":80")
            return Proxy(
                host: place.host,
                port: place.port == 80 && !isNamed ? 1_080 : place.port,
                credentials: credentials
            )
        } catch {
            throw problem(error.description)
        }
    }
}
