public import Monitoring

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

        /// A subject from a text: a host (`example.com`, `192.0.2.1`, `2001:db8::1`), `HOST:PORT` for TCP, or any
        /// target URL of the dashboard (`https://example.com/health`), which is probed by its own method.
        ///
        /// - Throws: ``URLProblem``, one line with what to write instead.
        public init(_ text: String) throws(URLProblem) {
            self.init(try Self.kind(of: text))
        }

        /// The host of a URL; scheme and path are ignored. To probe the server of the URL, pass its text.
        ///
        /// - Throws: ``URLProblem`` where the URL has no host.
        public init(_ url: URL) throws(URLProblem) {
            guard let host = url.host(percentEncoded: false), !host.isEmpty else {
                throw URLProblem("the URL has no host", hint: "such as https://example.com")
            }
            try self.init(host)
        }

        /// A target with its settings: interval, timeout, thresholds, family, source. Its name, hooks and dependencies
        /// are ignored, and a command is not run.
        public init(_ target: Target) {
            var target = target
            target.hooks = []
            target.dependsOn = []
            self.init(.targets([target]))
        }

        /// The internet: this machine has a default route, in either family. No packet is sent, so whether one would
        /// arrive is not known.
        public static let internet = Subject(.targets(defaultRoutes))

        /// The local network: an interface other than the loopback is up and has an address.
        public static let localNetwork = Subject(.targets([Target(probing: .link(interface: nil))]))

        /// The route to a host: a packet to it could leave this machine. Whether it would arrive is not known. A name
        /// must be resolved first.
        public static func route(_ host: String) -> Subject {
            do {
                return Subject(.targets([Target(probing: try Question("route://\(bracketed(host))"))]))
            } catch {
                return Subject(.invalid(error))
            }
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

        private static func bracketed(_ host: String) -> String {
            host.contains(":") && host.first != "[" ? "[\(host)]" : host
        }
    }
}

extension Reachability.Subject: ExpressibleByStringLiteral {
    /// A subject from a string literal. An invalid one is never reachable, and its status has the problem. For texts
    /// that are not literals, use ``init(_:)-(String)``.
    public init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            self.init(.invalid(error))
        }
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
