import Monitoring

extension SessionMachine {
    /// What is to be done.
    enum Act: Hashable {
        /// Connect to the peer.
        case connect
        /// Close the connection, or give up the attempt; what it says from then on is nobody's.
        case close
        /// Write to the peer.
        case send(Payload)
        /// Search what the peer said, and tell the machine by this number what came of it.
        case search(Search, talk: Int)
        /// The probe has ended.
        case end(Probe, Outcome)
        /// The state has changed.
        case announce(SessionState)
        /// Have the target asked now: there is something to tell, and no probe under way to tell it by.
        case hasten
    }

    enum Phase {
        case setup
        /// Being connected, or waiting for the peer's first words.
        case preparing(Attempt)
        case ready(since: Duration)
        /// Without a connection until it is tried again.
        case apart(SessionState.Cause, isFine: Bool, retry: Duration)
    }

    struct Attempt {
        let start: Duration
        var deadline: Duration
        /// Whether there was no way out the last time.
        let followsWaiting: Bool
        /// Whether it connects again beside the connections under way.
        let isRepeated: Bool
        /// How long connecting took; nil until it has.
        var roundTrip: Duration?
    }

    /// What the peer has to say by when.
    struct Talk {
        /// Tells it from those before.
        let number: Int
        var expectation: Expectation?
        let start: Duration
        let deadline: Duration
        /// When the peer said what was heard last.
        private var lastHeard: Duration
        /// When it had said all of what was searched last, or of what is an answer whatever it is.
        private(set) var answer: Duration
        /// Whether the peer has closed the connection while that was searched.
        var isClosed = false

        init(number: Int, expectation: Expectation?, start: Duration, deadline: Duration) {
            self.number = number
            self.expectation = expectation
            self.start = start
            self.deadline = deadline
            (lastHeard, answer) = (start, start)
        }

        mutating func hear(_ bytes: some Collection<UInt8>, at now: Duration) {
            expectation?.hear(bytes)
            lastHeard = now
            if expectation == nil { answer = now }
        }

        /// The search that is to be run now.
        mutating func nextSearch() -> [Act] {
            guard let search = expectation?.nextSearch() else { return [] }
            answer = lastHeard
            return [.search(search, talk: number)]
        }
    }
}

extension SessionState.Cause {
    /// Whether it is this machine that has no way to the peer.
    var isNoWayOut: Bool { lackOfWayOut != nil }

    /// Why this machine has no way to the peer; nil where that is not the cause.
    var lackOfWayOut: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure.reason == .networkUnreachable || failure.reason == .noRoute ? failure : nil
    }
}
