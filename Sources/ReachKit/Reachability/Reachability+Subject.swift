import ReachBasics
public import ReachMonitoring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Reachability {
    /// The subject of a reachability: a host, a target URL, the internet, or the local network.
    public struct Subject: Sendable, Hashable {
        /// How a subject is probed.
        enum Kind: Sendable, Hashable {
            /// By these targets; the subject is reachable when one of them is.
            case targets([Target])
            /// A host, by any method that shows that it is there.
            case host(String)
            /// Not at all: the text is not a valid subject.
            case invalid(URLProblem)
        }

        let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The subject from an expression; one that is never reachable, with the problem, where that throws.
        init(catching make: () throws(URLProblem) -> Subject) {
            do {
                self = try make()
            } catch {
                self.init(.invalid(error))
            }
        }

        /// A subject from a text: a host (`example.com`, `192.0.2.1`, `2001:db8::1`), `HOST:PORT` for TCP, or any
        /// target URL of the dashboard (`https://example.com/health`), which is probed by its own method.
        ///
        /// - Throws: ``URLProblem``, one line with what to write instead.
        public init(_ text: String) throws(URLProblem) {
            self.init(try Self.kind(of: text))
        }

        /// The server of a URL, probed by the method of its scheme: the same as its text. A status such as 500 means
        /// that it is not reachable. See ``init(hostOf:)`` for the host alone.
        ///
        /// - Throws: ``URLProblem``, for example where no method has the URL's scheme.
        public init(_ url: URL) throws(URLProblem) {
            try self.init(url.absoluteString)
        }

        /// The host of a URL, whatever the URL's scheme, port and path are: a server that is there but does not work
        /// is reachable.
        ///
        /// - Throws: ``URLProblem`` where the URL has no host.
        public init(hostOf url: URL) throws(URLProblem) {
            guard let host = url.host(percentEncoded: false), !host.isEmpty else {
                throw URLProblem("the URL has no host", hint: "such as https://example.com")
            }
            try self.init(host)
        }

        /// A TCP port of a host: the subject is reachable while it accepts connections.
        ///
        /// - Parameters:
        ///   - host: a name or a numeric address, an IPv6 address with or without brackets.
        ///   - port: the port, 1…65535.
        /// - Throws: ``URLProblem``, one line with what to write instead.
        public init(host: String, port: some BinaryInteger) throws(URLProblem) {
            self.init(.targets([Target(probing: try Question("tcp", host: host, port: port))]))
        }

        /// A target with its settings: interval, timeout, thresholds, family, source. Its name is only shown, its hooks
        /// and dependencies are ignored, and a command (`exec:`) needs a prober that runs commands.
        public init(_ target: Target) {
            var target = target
            target.hooks = []
            target.dependsOn = []
            self.init(.targets([target]))
        }

        /// The internet: this machine has a default route, in either family. No packet is sent, so whether one would
        /// arrive is not known.
        public static let internet = Subject(.targets(defaultRoutes))

        /// The local network: an interface other than the loopback is up and has an address that is not link-local.
        public static let localNetwork = Subject(.targets([Target(probing: .link(interface: nil))]))

        /// The route to a host: a packet to it could leave this machine. Whether it would arrive is not known. A name
        /// must be resolved first.
        public static func route(_ host: String) -> Subject {
            Subject(catching: { () throws(URLProblem) in
                Subject(.targets([Target(probing: try Question("route://\(host.bracketed)"))]))
            })
        }

        /// Addresses for documentation (RFC 5737, RFC 3849): only the default route can lead to them.
        private static let defaultRoutes = ["203.0.113.1", "2001:db8::1"].map { Target(probing: .route(host: $0)) }

        private static func kind(of text: String) throws(URLProblem) -> Kind {
            switch try Question(text) {
            case .icmp(let host, _) where !text.contains("://"): .host(host)
            case .exec: throw URLProblem("exec: is not supported here", hint: "such as tcp://example.com:443")
            case let question: .targets([Target(probing: question)])
            }
        }

    }
}

extension Reachability.Subject: ExpressibleByStringInterpolation {
    /// A subject from a string literal, such as `"example.com"` or `"db:\(port)"`. An invalid one is never reachable,
    /// and its status has the problem. To get the problem as an error, use ``init(_:)-(String)`` with a text that is
    /// not a literal.
    public init(stringLiteral text: String) {
        self.init(catching: { () throws(URLProblem) in try Self(text) })
    }
}

extension Reachability.Subject: CustomStringConvertible {
    /// The subject as text: `example.com`, `tcp://db:5432`, the name of a target, or `the internet`.
    public var description: String {
        switch kind {
        case _ where self == .internet: "the internet"
        case _ where self == .localNetwork: "the local network"
        case .targets(let targets): targets.map(\.name).joined(separator: ", ")
        case .host(let host): host
        case .invalid: "invalid subject"
        }
    }
}

extension Target {
    /// A target whose name is its URL.
    init(probing question: Question, interval: Duration? = nil) {
        self.init(name: question.url, question: question, interval: interval)
    }
}

extension Question {
    /// The question of a method that connects to a port of a host.
    ///
    /// - Parameters:
    ///   - scheme: the scheme of the method.
    ///   - host: a name or a numeric address, an IPv6 address with or without brackets.
    /// - Throws: ``URLProblem``, for an invalid host or port.
    init(_ scheme: String, host: String, port: some BinaryInteger) throws(URLProblem) {
        try self.init("\(scheme)://\(host.bracketed):\(port)")
    }
}

extension Target {
    /// A target from a URL or its short form: `icmp://192.0.2.1`, `https://example.com/health`, `nas.local:445`.
    ///
    /// - Parameters:
    ///   - url: the URL, in the syntax of the dashboard.
    ///   - name: the name; the URL by default.
    ///   - interval: the time from one probe to the next; the default of the method by default.
    /// - Throws: ``URLProblem``, one line with what to write instead.
    public init(_ url: String, name: String? = nil, interval: Duration? = nil) throws(URLProblem) {
        let question = try Question(url)
        self.init(name: name ?? question.url.withNames(typedIn: url), question: question, interval: interval)
    }

    /// A target from a URL, probed by the method of its scheme: the same as from its text.
    ///
    /// - Parameters:
    ///   - url: the URL, in the syntax of the dashboard.
    ///   - name: the name; the URL by default.
    ///   - interval: the time from one probe to the next; the default of the method by default.
    /// - Throws: ``URLProblem``, for example where no method has the URL's scheme.
    public init(_ url: URL, name: String? = nil, interval: Duration? = nil) throws(URLProblem) {
        try self.init(url.absoluteString, name: name, interval: interval)
    }
}
