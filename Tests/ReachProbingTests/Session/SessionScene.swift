import ReachMonitoring
import TestSupport

@testable import ReachProbing

/// A session machine with shorthands for inputs at times in seconds. Each returns the actions.
struct SessionScene {
    typealias Action = SessionMachine.Action

    static let refused = Outcome.failure(Failure(.refused))
    static let reset = Outcome.failure(Failure(.reset))
    static let closed = Outcome.failure(Failure(.closed))
    static let networkUnreachable = Outcome.failure(Failure(.networkUnreachable))
    /// The failure after the cable was unplugged.
    static let noCarrier = Failure(.noRoute, detail: "eth0 has no carrier")

    /// The cause of an unexpected answer.
    static func mismatch(_ text: String) -> Outcome {
        .failure(Failure(.answerMismatch, detail: "unexpected answer \"\(text)\""))
    }

    var machine: SessionMachine
    private var sequence = 0

    /// Creates a machine whose pauses have their maximum length.
    init(_ options: SessionOptions = SessionOptions()) {
        machine = SessionMachine(options, generator: Constant.high)
    }

    /// Returns the probe with this sequence number, counted from one.
    static func probe(_ sequence: Int, timeout: Duration = .seconds(5), every seconds: Double = 5) -> Probe {
        Probe(
            target: Target.ID(0),
            watch: 1,
            sequence: sequence,
            question: .session(host: "192.0.2.1", port: 1),
            timeout: timeout,
            interval: .seconds(seconds),
            made: .zero,
            address: IPAddress(literal: "192.0.2.1")
        )
    }

    static func reply(_ sequence: Int, _ milliseconds: Int?, _ age: String) -> Action {
        let roundTrip = milliseconds.map { Duration.milliseconds($0) }
        return .end(probe(sequence), .reply(Reply(roundTrip: roundTrip, detail: "ready \(age)")))
    }

    static func loss(_ sequence: Int, _ cause: Outcome, every seconds: Double = 5) -> Action {
        .end(probe(sequence, every: seconds), cause)
    }

    /// Starts the next probe. The kernel has measured a round trip of 3 ms.
    mutating func startProbe(
        at seconds: Double,
        timeout: Duration = .seconds(5),
        every interval: Double = 5,
        routeFailure: Failure? = nil
    ) -> [Action] {
        sequence += 1
        return machine.startProbe(
            Self.probe(sequence, timeout: timeout, every: interval),
            at: .seconds(seconds),
            roundTrip: .milliseconds(3),
            routeFailure: routeFailure
        )
    }

    /// Opens the connection after a TCP handshake of 2 ms.
    mutating func connected(at seconds: Double) -> [Action] {
        machine.connected(in: .milliseconds(2), at: .seconds(seconds))
    }

    /// Receives text, and runs the search at once.
    mutating func receive(_ text: String, at seconds: Double) -> [Action] {
        let actions = machine.receive(Array(text.utf8), at: .seconds(seconds))
        guard case .search(let search, let conversation)? = actions.last else { return actions }
        return actions.dropLast() + searched(search.run(), conversation: conversation, at: seconds)
    }

    /// Receives text, and leaves the search to the test.
    mutating func receiveWithoutSearch(_ text: String, at seconds: Double) -> [Action] {
        machine.receive(Array(text.utf8), at: .seconds(seconds))
    }

    mutating func searched(_ result: Result<PatternSearch.Match, Fault>, conversation: Int, at seconds: Double)
        -> [Action]
    {
        machine.searched(result, conversation: conversation, at: .seconds(seconds))
    }

    mutating func closed(at seconds: Double) -> [Action] {
        machine.closed(at: .seconds(seconds))
    }

    mutating func failed(_ cause: Outcome, at seconds: Double) -> [Action] {
        machine.failed(cause, at: .seconds(seconds))
    }

    mutating func expire(at seconds: Double, routeFailure: Failure? = nil) -> [Action] {
        machine.expire(at: .seconds(seconds), routeFailure: routeFailure)
    }

    mutating func retry(at seconds: Double) -> [Action] {
        machine.retry(at: .seconds(seconds))
    }

    mutating func networkChanged(at seconds: Double, routeFailure: Failure? = nil) -> [Action] {
        machine.networkChanged(at: .seconds(seconds), routeFailure: routeFailure)
    }

    /// Becomes ready with the first probe at second zero.
    mutating func becomeReady() {
        _ = startProbe(at: 0)
        _ = connected(at: 0)
    }
}
