public import ReachMonitoring

/// A TCP connection that is held while it has subscribers, and made again whenever it ends.
///
/// ```swift
/// for await state in try Session(to: "example.com", port: 443).states {
///     print(state)  // setup, preparing, ready: 192.0.2.1 …
/// }
/// ```
///
/// Nothing is sent unless ``Options`` say so, except for the kernel's keep-alive probes, which detect that a silent
/// peer is gone (RFC 9293 §3.8.4). A connection that ends is made again after a random pause below a limit that
/// doubles, from half a second to the interval, at most 30 seconds. When this machine finds a route again, or the
/// peer's host appears on the local network, it is made again at once. A name that does not exist is looked up again every second.
///
/// The connection is held while at least one task iterates over ``states``: it is closed at once when the last of them
/// ends or is cancelled, and the next subscriber starts a new one.
public final class Session: Sendable {
    /// The name or numeric address of the peer.
    public let host: String
    /// The peer's port.
    public let port: UInt16
    private let subscription: SharedSubscription<SessionModel>

    /// Creates a session, which starts when its ``states`` have a subscriber.
    ///
    /// - Parameters:
    ///   - host: a name or a numeric address, an IPv6 address with or without brackets.
    ///   - port: the TCP port, 1…65535.
    ///   - options: what is sent on the connection and how its end is judged; by default nothing is sent.
    ///   - interval: the time from one heartbeat to the next, where the options have one; 0.1 s at least.
    ///   - timeout: the timeout of the lookup with the connection, and of the answer to a heartbeat.
    ///   - family: the address family; the resolver's preference (RFC 6724) by default.
    ///   - prober: the prober that holds the connection.
    /// - Throws: ``URLProblem`` for an invalid host or port, one line with what to write instead.
    public init(
        to host: String,
        port: some BinaryInteger,
        options: Options = Options(),
        interval: Duration = .seconds(5),
        timeout: Duration = .seconds(5),
        family: Target.Family = .any,
        prober: Prober = .shared
    ) throws(URLProblem) {
        let valid = try Question("session", host: host, port: port)
        self.host = valid.host ?? host
        self.port = valid.port ?? 0
        let question = Question.session(host: self.host, port: self.port, options)
        // It limits the pauses between connections too.
        let interval = max(interval, .milliseconds(100))
        let target = Target(
            name: question.authority,
            question: question,
            family: family,
            interval: interval,
            timeout: timeout,
            retryInterval: min(interval, .seconds(1)),
            downInterval: interval,
            spread: 0
        )
        let client = prober.makeClient()
        let model = SessionModel(target, id: Target.ID(client.firstID))
        subscription = SharedSubscription(model, on: client, capacity: States.capacity)
    }

    /// The present state; never waits for the network.
    public var state: State {
        subscription.read { $0.state }
    }

    /// Whether the connection is established; never waits for the network.
    public var isOnline: Bool {
        subscription.read { $0.isOnline }
    }

    /// Ends the session for good: the connection is closed, and every subscriber gets ``State/cancelled`` as the last
    /// state.
    public func cancel() {
        subscription.cancel { $0.cancel() }
    }

    func subscribe() -> EventBuffer<State>.Reader {
        subscription.subscribe { [$0.state] }
    }
}

extension Session {
    /// What is sent on a session, what answer is expected, and how its end is judged.
    public typealias Options = SessionOptions
    /// The cause of the end of a connection: the outcome of its last probe, which is never a reply.
    public typealias Cause = Outcome

    /// The state of a session. The names are those that Apple's Network framework has for the states of a connection.
    public enum State: Sendable, Hashable {
        /// Nothing has been tried yet: there is no subscriber.
        case setup
        /// The name is looked up, the connection is being made, or the expected greeting or answer has not been
        /// received.
        case preparing
        /// No packet can leave this machine for the peer, for this reason. The session tries again, and at once when
        /// there is a route.
        case waiting(Failure)
        /// The connection to this numeric address is established, and the peer has sent what is expected.
        case ready(address: String)
        /// The connection broke, or could not be made, for this cause. The session tries again.
        case failed(Cause)
        /// The session was ended for good, by ``Session/cancel()``.
        case cancelled
    }
}

extension Session.State: CustomStringConvertible {
    /// The state as text: `failed: refused`.
    public var description: String {
        switch self {
        case .setup: "setup"
        case .preparing: "preparing"
        case .waiting(let failure): "waiting: \(failure.detail)"
        case .ready(let address): "ready: \(address)"
        case .failed(let cause): "failed: \(cause.detail)"
        case .cancelled: "cancelled"
        }
    }
}

extension Session {
    /// The states of a session: the present one, and then every change. The sequence ends when the session is
    /// cancelled.
    ///
    /// Any number of tasks can subscribe. For a slow subscriber, the newest 64 states are kept.
    public struct States: AsyncSequence, Sendable {
        /// A state of the session.
        public typealias Element = State
        /// The sequence does not throw; errors are states.
        public typealias Failure = Never

        static let capacity = 64

        let session: Session

        /// One subscriber. The session runs while there is one.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let reader: EventBuffer<State>.Reader

            /// Waits for the next state; nil at the end, or when the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
                await reader.next(isolation: actor)
            }

            /// Waits for the next state; nil at the end, or when the task is cancelled.
            public mutating func next() async -> State? {
                await next(isolation: #isolation)
            }
        }

        /// Subscribes.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: session.subscribe())
        }
    }

    /// The states, the present one first.
    public var states: States { States(session: self) }
}
