public import Monitoring

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Reachability {
    /// What may be reachable: a host, whatever a URL asks for, the internet, the local network.
    public struct Subject: Sendable, Hashable {
        /// What has to be asked for it.
        enum Inquiry: Sendable, Hashable {
            /// These, any of which will do.
            case targets([Target])
            /// Whether this host answers at all, by whatever means there is.
            case host(String)
            /// Nothing: the text that names it is wrong.
            case nothing(URLProblem)
        }

        let inquiry: Inquiry

        private init(_ inquiry: Inquiry) {
            self.inquiry = inquiry
        }

        /// What a text names: a host (`example.com`, `192.0.2.1`, `2001:db8::1`), `HOST:PORT` for TCP, or any target URL of
        /// the dashboard (`https://example.com/health`), which is asked as it is written.
        ///
        /// - Throws: ``URLProblem``, one clear line with what to write instead.
        public init(_ text: String) throws(URLProblem) {
            self.init(try Self.inquiry(about: text))
        }

        /// The host of a URL, whatever its scheme and path; for the answer of a server, name the URL as a text.
        ///
        /// - Throws: ``URLProblem`` where the URL has no host.
        public init(_ url: URL) throws(URLProblem) {
            guard let host = url.host(percentEncoded: false), !host.isEmpty else {
                throw URLProblem("the URL has no host", hint: "such as https://example.com")
            }
            try self.init(host)
        }

        /// A target with its settings: interval, timeout, thresholds, family, source. Of no matter are its name, its hooks
        /// and what it depends on, and a command is not run.
        public init(_ target: Target) {
            var target = target
            target.hooks = []
            target.dependsOn = []
            self.init(.targets([target]))
        }

        /// The internet: a default route leads out of this machine, by either family. No packet is sent, and nobody knows
        /// whether one would arrive.
        public static let internet = Subject(.targets(defaultRoutes))

        /// The local network: an interface other than the loopback is up and has an address.
        public static let localNetwork = Subject(.targets([Target(asking: .link(interface: nil))]))

        /// The way to a host: a packet could leave for it, which says nothing about whether it arrives. A name must be
        /// resolved first.
        public static func route(_ host: String) -> Subject {
            do {
                return Subject(.targets([Target(asking: try Question("route://\(bracketed(host))"))]))
            } catch {
                return Subject(.nothing(error))
            }
        }

        /// The destinations belong to nobody (RFC 5737, RFC 3849), and so no route but the default one leads to them.
        private static let defaultRoutes = ["203.0.113.1", "2001:db8::1"].map { Target(asking: .route(host: $0)) }

        private static func inquiry(about text: String) throws(URLProblem) -> Inquiry {
            switch try Question(text) {
            case .icmp(let host, _) where !text.contains("://"): .host(host)
            case .exec: throw URLProblem("a command is no subject", hint: "such as tcp://example.com:443")
            case let question: .targets([Target(asking: question)])
            }
        }

        private static func bracketed(_ host: String) -> String {
            host.contains(":") && host.first != "[" ? "[\(host)]" : host
        }
    }
}

extension Reachability.Subject: ExpressibleByStringLiteral {
    /// What a text in the source names. One that names nothing is never reachable, and the status says what is wrong with
    /// it; ``init(_:)-(String)`` is for texts from elsewhere.
    public init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            self.init(.nothing(error))
        }
    }
}

extension Target {
    /// A target that is called by its URL.
    init(asking question: Question, interval: Duration? = nil) {
        self.init(name: question.url, question: question, interval: interval)
    }
}
