public import ReachMonitoring
import ReachProbing

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reachability of a subject: a host, a server, the internet.
///
/// ```swift
/// let host = Reachability(of: "example.com")
/// if await host.check().isReachable { print("it answers") }
/// for await status in host.changes { print(status) }  // unknown, reachable by wifi …
/// ```
///
/// An instance probes its subject while it has subscribers: while a task iterates over ``changes``, waits for
/// ``check()`` or ``firstVerdict()``, or has an operation waiting. Otherwise nothing runs and no socket is open. Any
/// number of tasks can use one instance, and several instances do not affect each other.
///
/// The subject is probed when a subscriber is added, and then at the interval of its target. While it is down, it is
/// probed every second, or at the target's `downInterval`, as long as there is a subscriber.
///
/// The first reply makes a subject reachable. It becomes unreachable after as many losses in a row as the target's
/// ``Thresholds`` say, three by default, so one lost packet does not change the status. A host is probed by an ICMP
/// echo request every second. Where the system does not permit that, it is probed by TCP connections to the ports 443,
/// 80 and 7, and `refused` counts as a reply, because the host is there.
public final class Reachability: Sendable {
    /// The subject that is probed.
    public let subject: Subject
    let prober: Prober
    let subscription: SharedSubscription<ReachabilityModel>

    /// Creates the reachability of a subject. Nothing is probed before it has a subscriber.
    ///
    /// - Parameters:
    ///   - subject: a text such as `"example.com"` or `"tcp://db:5432"`, or another ``Subject``.
    ///   - prober: the prober that probes it; the shared one by default.
    public init(of subject: Subject, prober: Prober = .shared) {
        self.subject = subject
        self.prober = prober
        let client = prober.makeClient()
        let model = ReachabilityModel(subject, firstID: client.firstID)
        // A slow subscriber needs only the newest status.
        subscription = SharedSubscription(model, on: client, capacity: 1) { [findLink = prober.findLink] model in
            guard let destination = model.unknownRoute else { return nil }
            let link = findLink(destination.question, destination.address)
            return { $0.record(link, to: destination) }
        }
    }

    /// Creates the reachability of the subject that a text names. Nothing is probed before it has a subscriber.
    ///
    /// - Parameters:
    ///   - text: a host (`example.com`, `192.0.2.1`, `2001:db8::1`), `HOST:PORT` for TCP, or any target URL. An invalid
    ///     text is never reachable, and its status has the problem; ``Subject/init(_:)-(String)`` throws it instead.
    ///   - prober: the prober that probes it; the shared one by default.
    public convenience init(of text: some StringProtocol, prober: Prober = .shared) {
        self.init(of: Subject(stringLiteral: String(text)), prober: prober)
    }

    /// Creates the reachability of the server of a URL, probed by the method of its scheme: the same as its text. A
    /// status such as 500 means that it is not reachable. ``Subject/init(hostOf:)`` is the host alone. Nothing is probed
    /// before it has a subscriber.
    ///
    /// - Parameters:
    ///   - url: the URL. One that cannot be probed is never reachable, and its status has the problem;
    ///     ``Subject/init(_:)-(URL)`` throws it instead.
    ///   - prober: the prober that probes it; the shared one by default.
    public convenience init(of url: URL, prober: Prober = .shared) {
        self.init(of: url.absoluteString, prober: prober)
    }

    /// Creates the reachability of a TCP port: it is reachable while it accepts connections. Nothing is probed before
    /// it has a subscriber.
    ///
    /// - Parameters:
    ///   - host: a name or a numeric address, an IPv6 address with or without brackets. With an invalid one, the subject
    ///     is never reachable, and its status has the problem.
    ///   - port: the port, 1…65535.
    ///   - prober: the prober that probes it; the shared one by default.
    public convenience init(host: String, port: some BinaryInteger, prober: Prober = .shared) {
        let subject = Subject(catching: { () throws(URLProblem) in try Subject(host: host, port: port) })
        self.init(of: subject, prober: prober)
    }

    /// What is known: the last verdict, however old it is; ``Status/unknown`` until the first one. Sends no probe and
    /// never waits. An invalid subject is unreachable from the start.
    public var currentStatus: Status {
        subscription.read { $0.lastStatus }
    }

    /// Probes the subject now, also if it is probed already, and returns the verdict.
    ///
    /// A reply is a verdict at once. Losses are one after as many in a row as the target's ``Thresholds`` say, at
    /// intervals of at most a second; for a subject that is down already, one is enough.
    ///
    /// - Returns: The status that probes sent after the call have shown. ``Status/unknown`` only if the task is
    ///   cancelled before.
    public func check() async -> Status {
        let start = prober.time
        let reports = subscription.subscribe()
        while let report = await reports.next(isolation: nil) {
            if let probed = report.probed, probed >= start { return report.status }
        }
        return .unknown
    }

    /// Returns the last verdict, however old it is, or probes the subject until the first one.
    ///
    /// - Returns: ``Status/unknown`` only if the task is cancelled before the first verdict.
    public func firstVerdict() async -> Status {
        let known = currentStatus
        return known == .unknown ? await check() : known
    }

    /// The statuses of the subject: ``currentStatus``, and then every change. A first verdict that equals it is no change.
    ///
    /// Any number of tasks can subscribe. A slow subscriber misses earlier changes, never the newest one. For the changes
    /// alone, use `changes.dropFirst()`.
    public var changes: Changes {
        Changes(reachability: self)
    }
}

extension Reachability {
    /// The reachability of a subject.
    public enum Status: Sendable, Hashable {
        /// There is no verdict yet: the subject was not probed, or there are neither replies nor enough losses.
        case unknown
        /// The subject does not answer, or cannot be probed.
        case unreachable(Cause)
        /// The subject answers, and packets to it leave by this link.
        case reachable(via: Link)

        /// Whether the subject answers.
        public var isReachable: Bool {
            if case .reachable = self { true } else { false }
        }
    }
}

extension Reachability.Status: CustomStringConvertible {
    /// The status as text: `reachable by wifi`, `unreachable: refused`.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .unreachable(let cause): "unreachable: \(cause)"
        case .reachable(.other): "reachable"
        case .reachable(via: let link): "reachable by \(link.rawValue)"
        }
    }
}

extension Reachability {
    /// Why a subject is not reachable.
    public enum Cause: Sendable, Hashable {
        /// No probe got a reply in time.
        case timeout
        /// The subject, or a router on the way to it, gave a negative answer.
        case failure(Failure)
        /// This machine could not probe the subject.
        case fault(Fault)
        /// The text is not a valid subject.
        case invalidSubject(URLProblem)

        /// The reason of a ``failure(_:)``; nil for other causes.
        public var reason: Reason? {
            if case .failure(let failure) = self { failure.reason } else { nil }
        }
    }
}

extension Reachability.Cause: CustomStringConvertible {
    /// The cause as part of a sentence, with the fix where one is known: `timeout`, `refused`.
    public var description: String {
        switch self {
        case .timeout: "timeout"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.summary
        case .invalidSubject(let problem): "\(problem)"
        }
    }
}

extension Reachability {
    /// The type of the link that packets to a subject leave by. Linux reports it in `/sys/class/net`; on other systems,
    /// the interface's name implies it.
    public enum Link: String, Sendable, Hashable, Codable, CaseIterable {
        /// Ethernet, or an interface that behaves like it.
        case wired
        /// Wireless LAN.
        case wifi
        /// A mobile network.
        case cellular
        /// A tunnel, over any other link.
        case vpn
        /// The loopback interface: the subject is this machine itself.
        case loopback
        /// Unknown to the system.
        case other

        init(_ kind: LinkKind?) {
            self =
                switch kind {
                case .wired: .wired
                case .wifi: .wifi
                case .cellular: .cellular
                case .vpn: .vpn
                case .loopback: .loopback
                case nil: .other
                }
        }
    }
}

extension Reachability.Link: CustomStringConvertible {
    /// The raw value: `wifi`.
    public var description: String { rawValue }
}

extension Reachability {
    /// The last known status and its changes. The sequence ends only when its task is cancelled. The subject is probed while
    /// there is an iterator.
    public struct Changes: AsyncSequence, Sendable {
        /// The new status.
        public typealias Element = Status
        /// The sequence does not throw.
        public typealias Failure = Never

        let reachability: Reachability

        /// One subscriber.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let reports: EventBuffer<ReachabilityModel.Report>.Reader
            /// The status at the time of the subscription, until it was returned.
            private var first: Status?
            /// The last status that the subscriber knows. Equal ones are skipped.
            private var known: Status

            init(_ reports: EventBuffer<ReachabilityModel.Report>.Reader, first: Status) {
                self.reports = reports
                (self.first, known) = (first, first)
            }

            /// Waits for the next change, on the caller's own actor; nil once the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Status? {
                if let first {
                    self.first = nil
                    return first
                }
                while let status = await reports.next(isolation: actor)?.status {
                    guard status != known else { continue }
                    known = status
                    return status
                }
                return nil
            }

            /// Waits for the next change, on the caller's own actor; nil once the task is cancelled.
            public mutating func next() async -> Status? {
                await next(isolation: #isolation)
            }
        }

        /// Subscribes.
        public func makeAsyncIterator() -> AsyncIterator {
            var present = Status.unknown
            let reports = reachability.subscription.subscribe { model in
                present = model.lastStatus
                return []
            }
            return AsyncIterator(reports, first: present)
        }
    }
}
