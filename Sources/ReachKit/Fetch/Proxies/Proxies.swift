#if Fetch
import Monitoring

/// The proxies from the environment, as curl reads them (curl(1), "Environment"): `http_proxy`, `https_proxy` or
/// `HTTPS_PROXY`, `all_proxy` or `ALL_PROXY` for schemes without one of their own, and `no_proxy` or `NO_PROXY` for
/// hosts without a proxy.
///
/// `HTTP_PROXY` is ignored: a web server passes a client's `Proxy` field to CGI scripts by that name. An empty variable
/// counts as unset.
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
    /// - Throws: ``Fetch/Error/invalid(_:)``, one line that does not contain the password.
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
                throw problem("unsupported scheme \"\(scheme)\"")
            }
            rest = rest[separator.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        var credentials: String?
        if let at = rest.lastIndex(of: "@") {
            guard let plain = rest[..<at].percentDecoded else {
                throw problem("invalid percent-encoding in the user or password")
            }
            credentials = plain
            rest = rest[rest.index(after: at)...]
        }
        do throws(URLProblem) {
            guard case .http(let endpoint) = try Question("http://\(rest)"), endpoint.path == "/" else {
                throw URLProblem("invalid host \"\(rest)\"")
            }
            // The default port of http:// is not that of a proxy.
            let isExplicit = rest.hasSuffix(":80")
            return Proxy(
                host: endpoint.host,
                port: endpoint.port == 80 && !isExplicit ? 1_080 : endpoint.port,
                credentials: credentials
            )
        } catch {
            throw problem(error.description)
        }
    }
}

/// An HTTP proxy.
struct Proxy: Sendable, Hashable {
    /// Its name or address.
    let host: String
    /// The port that it listens on.
    let port: UInt16
    /// `USER:PASSWORD`; nil without authentication.
    let credentials: String?
}
#endif
