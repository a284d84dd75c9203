import Monitoring
import TestSupport

@testable import Probing

/// A machine that a test tells what happens, at times in seconds; what is to be done comes back.
struct SessionScene {
    typealias Act = SessionMachine.Act

    static let refused = SessionState.Cause.failure(Failure(.refused))
    static let reset = SessionState.Cause.failure(Failure(.reset))
    static let closed = SessionState.Cause.failure(Failure(.closed))
    static let noWayOut = SessionState.Cause.failure(Failure(.networkUnreachable))
    /// What a pulled cable comes to.
    static let pulled = Failure(.noRoute, detail: "eth0 has no carrier")

    /// What the peer said, where something else was expected.
    static func mismatch(_ text: String) -> SessionState.Cause {
        .failure(Failure(.answerMismatch, detail: "unexpected answer \"\(text)\""))
    }

    var machine: SessionMachine
    private var sequence = 0

    /// Every pause is as long as it may be.
    init(_ options: SessionOptions = SessionOptions()) {
        machine = SessionMachine(options, generator: Constant.high)
    }

    /// The probe of this number, counted from one.
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

    static func reply(_ sequence: Int, _ milliseconds: Int?, _ age: String) -> Act {
        let roundTrip = milliseconds.map { Duration.milliseconds($0) }
        return .end(probe(sequence), .reply(Reply(roundTrip: roundTrip, detail: "ready \(age)")))
    }

    static func loss(_ sequence: Int, _ cause: SessionState.Cause, every seconds: Double = 5) -> Act {
        .end(probe(sequence, every: seconds), cause.outcome)
    }

    /// The next probe asks; the kernel has measured a round trip of 3 ms.
    mutating func ask(
        at seconds: Double,
        timeout: Duration = .seconds(5),
        every interval: Double = 5,
        lackOfWayOut lack: Failure? = nil
    ) -> [Act] {
        sequence += 1
        return machine.ask(
            Self.probe(sequence, timeout: timeout, every: interval),
            at: .seconds(seconds),
            roundTrip: .milliseconds(3),
            lackOfWayOut: lack
        )
    }

    /// Connecting took 2 ms.
    mutating func connected(at seconds: Double) -> [Act] {
        machine.connected(in: .milliseconds(2), at: .seconds(seconds))
    }

    /// What is to be searched is searched at once.
    mutating func hear(_ text: String, at seconds: Double) -> [Act] {
        let acts = machine.hear(Array(text.utf8), at: .seconds(seconds))
        guard case .search(let search, let talk)? = acts.last else { return acts }
        return acts.dropLast() + searched(search.run(), talk: talk, at: seconds)
    }

    /// The peer says something, and its search takes its time.
    mutating func hearSlowly(_ text: String, at seconds: Double) -> [Act] {
        machine.hear(Array(text.utf8), at: .seconds(seconds))
    }

    mutating func searched(_ result: Result<Search.Match, Fault>, talk: Int, at seconds: Double) -> [Act] {
        machine.searched(result, talk: talk, at: .seconds(seconds))
    }

    mutating func closed(at seconds: Double) -> [Act] {
        machine.closed(at: .seconds(seconds))
    }

    mutating func broke(_ cause: SessionState.Cause, at seconds: Double) -> [Act] {
        machine.broke(cause, at: .seconds(seconds))
    }

    mutating func expire(at seconds: Double, lackOfWayOut lack: Failure? = nil) -> [Act] {
        machine.expire(at: .seconds(seconds), lackOfWayOut: lack)
    }

    mutating func retry(at seconds: Double) -> [Act] {
        machine.retry(at: .seconds(seconds))
    }

    mutating func networkChanged(at seconds: Double, lackOfWayOut lack: Failure? = nil) -> [Act] {
        machine.networkChanged(at: .seconds(seconds), lackOfWayOut: lack)
    }

    /// The first probe at second zero finds the peer there.
    mutating func getReady() {
        _ = ask(at: 0)
        _ = connected(at: 0)
    }
}
