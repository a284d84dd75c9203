import Monitoring

/// The proxies of the environment, as curl reads them (curl(1), "Environment"): `http_proxy`, `https_proxy` or `HTTPS_PROXY`,
/// `all_proxy` or `ALL_PROXY` for schemes without one of their own, and `no_proxy` or `NO_PROXY` for hosts that need none.
///
/// `HTTP_PROXY` is ignored: a web server passes a client's `Proxy` field to CGI scripts by that name. An empty variable counts as
/// not set.
package struct Proxies: Sendable, Hashable {
    private struct Variable: Sendable, Hashable {
        let name: String
        let value: String
    }

    private let plain: Variable?
    private let secure: Variable?
    private let exceptions: ProxyExceptions

    /// No proxy.
    package static let none = Proxies(environment: [:])

    /// Reads the environment. The URL of a proxy is parsed when it is needed.
    package init(environment: [String: String]) {
        let first = { (names: [String]) in
            names.lazy.compactMap { name in environment[name].map { Variable(name: name, value: $0) } }
                .first { !$0.value.isEmpty }
        }
        let rest = ["all_proxy", "ALL_PROXY"]
        plain = first(["http_proxy"] + rest)
        secure = first(["https_proxy", "HTTPS_PROXY"] + rest)
        exceptions = ProxyExceptions(first(["no_proxy", "NO_PROXY"])?.value ?? "")
    }

    /// The proxy for a host; nil where it is connected to directly.
    ///
    /// - Throws: ``Fetch/Error/invalid(_:)``, one line without the password.
    func proxy(for question: HTTPQuestion) throws(Fetch.Error) -> Proxy? {
        guard let variable = question.isSecure ? secure : plain, !exceptions.contain(question.host)
        else { return nil }
        return try Self.proxy(variable)
    }

    /// `[http://][USER:PASSWORD@]HOST[:PORT][/]`; the default port is curl's, 1080.
    private static func proxy(_ variable: Variable) throws(Fetch.Error) -> Proxy {
        func problem(_ text: String) -> Fetch.Error {
            .invalid("\(variable.name): \(text) – such as http://proxy.example:3128")
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
            // The default port of http:// is not that of a proxy.
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
