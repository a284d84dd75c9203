import ReachMonitoring

extension SessionMachine {
    /// An action for the prober.
    enum Action: Hashable {
        /// Connect to the peer.
        case connect
        /// Close the connection or cancel the attempt, and ignore its later events.
        case close
        /// Send data to the peer.
        case send(Payload)
        /// Run a search, and pass the result to the machine with the number of the conversation.
        case search(PatternSearch, conversation: Int)
        /// Report the end of the probe.
        case end(Probe, Outcome)
        /// Report the new state.
        case announce(SessionState)
        /// Start a probe now: there is an outcome to report, and no probe is in flight.
        case probeNow
    }

    enum State {
        /// No attempt was made yet.
        case setup
        /// Connecting, or waiting for the peer's first answer.
        case preparing(Attempt)
        /// The connection is open, and its peer has answered as expected.
        case ready(since: Duration)
        /// Without a connection until the retry.
        case disconnected(Outcome, isExpected: Bool, retry: Duration)
    }

    struct Attempt {
        let start: Duration
        var deadline: Duration
        /// When the route returned, for the first attempt since then; otherwise nil.
        let routeReturn: Duration?
        /// Whether it opens further connections beside the pending ones.
        let isRepeated: Bool
        /// The duration of the TCP handshake; nil until it has completed.
        var roundTrip: Duration?

        /// Whether the failure may come from a neighbour resolution that started before the route's return.
        func isStale(_ cause: Outcome, at now: Duration) -> Bool {
            guard let routeReturn, roundTrip == nil, case .failure(let failure) = cause else { return false }
            return failure.isStale(at: now, since: routeReturn)
        }
    }

    /// A greeting or heartbeat for which the peer must answer by a deadline.
    struct Conversation {
        /// Distinguishes it from earlier conversations.
        let number: Int
        var expectation: Expectation?
        let start: Duration
        let deadline: Duration
        /// When the last bytes were received.
        private var lastReceived: Duration
        /// When the bytes of the last search had been received, or any answer if there is no expectation.
        private(set) var answer: Duration
        /// Whether the peer has closed the connection during a search.
        var isClosed = false

        init(number: Int, expectation: Expectation?, start: Duration, deadline: Duration) {
            self.number = number
            self.expectation = expectation
            self.start = start
            self.deadline = deadline
            (lastReceived, answer) = (start, start)
        }

        mutating func receive(_ bytes: some Collection<UInt8>, at now: Duration) {
            expectation?.receive(bytes)
            lastReceived = now
            if expectation == nil { answer = now }
        }

        /// Returns the search to run now.
        mutating func nextSearch() -> [Action] {
            guard let search = expectation?.nextSearch() else { return [] }
            answer = lastReceived
            return [.search(search, conversation: number)]
        }
    }
}

extension Outcome {
    /// Whether this machine has no route to the peer.
    var isMissingRoute: Bool { routeFailure != nil }

    /// The failure if this machine has no route to the peer; nil for other causes.
    var routeFailure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure.reason == .networkUnreachable || failure.reason == .noRoute ? failure : nil
    }
}
