import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

struct SessionFuzzTests {
    private static let options = [
        SessionOptions(), SessionOptions(send: "PING\r\n", expect: "^\\+PONG"), SessionOptions(expect: "^SSH-2"),
        SessionOptions(send: "?", idleClose: .ok), SessionOptions(idleClose: .ok),
    ]

    @Test func `for any sequence of events, each probe of a session ends once and in time`() async throws {
        // Stories are read from their end. Each byte is an event with the time before it.
        let stories: [[SessionFuzzScene.Action]] = [
            [.ask, .connect, .wait, .ask, .close], [.ask, .connect, .hear, .ask, .hear, .wait, .ask, .expire],
            [.ask, .refuse, .wait, .expire, .connect, .ask], [.ask, .loseWay, .ask, .connect, .hear, .lose, .ask],
            [.ask, .wait, .expire, .discarded, .ask, .expire, .connect],
            [.ask, .connect, .hear, .close, .ask, .wait, .expire],
        ]
        let corpus =
            stories.map { $0.reversed().map(\.rawValue) } + stories.map { $0.reversed().map { $0.rawValue | 0x50 } }
        let machines = Self.options.map { options in
            SessionMachine(options, generator: SplitMix(seed: 1))
        }
        let fuzz = Fuzz(name: "session", corpus: corpus + [corpus.flatMap { $0 }])
        await fuzz.run(often: ["reply", "failure", "timeout", "nothing"]) { input in
            // One machine in four also receives events of other connections.
            let isWild = input.number(below: 4) == 0
            var scene = SessionFuzzScene(machine: machines[input.number(below: machines.count)], isWild: isWild)
            while let byte = input.next() { try scene.live(through: byte, by: &input) }
            try scene.settle()
            return scene.last
        }
    }

    @Test func `an expected reply is found in any fragments`() async throws {
        let corpus = [
            "SSH-2.0-OpenSSH_9.2\r\n", "+PONG\r\n", "220 mail ESMTP\r\n", "-LOADING\r\n", "é\u{1B}[2J\u{202E}OK",
        ]
        let expectations = ["^SSH-2", "OK"].map { Expectation($0) }
        let fuzz = Fuzz(
            name: "expect",
            corpus: corpus.map { Array($0.utf8) },
            words: [Array("SSH-2".utf8), [79, 75]],
            cost: 4
        )
        await fuzz.run(often: ["match", "wait"]) { input in
            if input.number(below: 512) == 0 { input.swell(to: Expectation.limit + 100) }
            let isAtStart = input.number(below: 2) == 0
            var expectation = expectations[isAtStart ? 0 : 1]
            var matches: Bool?
            for fragment in input.fragments() where matches == nil { matches = try expectation.judge(fragment) }
            let heard = input.bytes.prefix(Expectation.limit)
            let shouldMatch = isAtStart ? heard.starts(with: "SSH-2".utf8) : heard.contains("OK".utf8)
            let isOver = heard.count == Expectation.limit
            try hold(matches == (shouldMatch ? true : isOver ? false : nil), "\(String(describing: matches))")
            try holdShort(expectation.failure.detail)
            return shouldMatch ? "match" : "wait"
        }
    }
}

/// The environment of a session: a schedule with one probe in flight, and a connection with random events.
struct SessionFuzzScene {
    /// A random event: the low bits of a byte. The high bits are the time before it.
    enum Action: UInt8 {
        case ask
        case connect
        case hear
        case close
        case lose
        case refuse
        case loseWay
        case expire
        case discarded
        case wait
        case changeNetwork
    }

    private enum Line {
        case none
        case connecting
        case open
    }

    private static let timeout = Duration.seconds(5)
    private static let words: [[UInt8]] = ["+PONG\r\n", "SSH-2.0-x\r\n", "\u{1B}[2J", "x"].map { Array($0.utf8) }

    private var machine: SessionMachine
    private let isWild: Bool
    private var line = Line.none
    private var now = Duration.zero
    private var sequence = 0
    /// The probe in flight, and its start.
    private var pending: (probe: Probe, since: Duration)?
    /// The outcome of the last probe.
    private(set) var last = "nothing"

    /// - Parameter isWild: whether the machine also receives events of connections that it does not have.
    init(machine: SessionMachine, isWild: Bool) {
        self.machine = machine
        self.isWild = isWild
    }

    /// Applies the event of a byte.
    mutating func live(through byte: UInt8, by input: inout FuzzInput) throws {
        now += .milliseconds([0, 1, 400, 1_000, 4_999, 5_000, 31_000, 0][Int(byte >> 4 & 7)])
        guard let deed = Action(rawValue: byte & 15) else { return }
        switch deed {
        case .ask:
            try ask(by: &input)
        case .connect where isWild || line == .connecting:
            line = .open
            try perform(machine.connected(in: .milliseconds(2), at: now))
        case .hear where isWild || line == .open:
            try perform(machine.receive(hearsay(by: &input), at: now))
        case .close where isWild || line == .open:
            try perform(machine.closed(at: now))
        case .lose where isWild || line == .open:
            try perform(machine.failed(.failure(Failure(.reset)), at: now))
        case .refuse where isWild || line == .connecting:
            try perform(machine.failed(.failure(Failure(.refused)), at: now))
        case .loseWay where isWild || line != .none:
            try perform(machine.failed(.failure(Failure(.networkUnreachable)), at: now))
        case .expire:
            let lack = lack(by: &input)
            try perform(machine.expire(at: now, routeFailure: lack))
        case .changeNetwork:
            let lack = lack(by: &input)
            try perform(machine.networkChanged(at: now, routeFailure: lack))
        case .discarded:
            machine.discardInFlight(at: now)
            pending = nil
        case .wait, .connect, .hear, .close, .lose, .refuse, .loseWay:
            break
        }
    }

    /// Advances the time until no probe is in flight.
    mutating func settle() throws {
        for _ in 0..<2 where pending != nil {
            guard let deadline = machine.deadline else { break }
            now = max(now, deadline)
            try perform(machine.expire(at: now, routeFailure: nil))
        }
        try hold(pending == nil, "a probe without an end")
    }

    private mutating func ask(by input: inout FuzzInput) throws {
        guard pending == nil else { return }
        sequence += 1
        let probe = SessionScene.probe(sequence)
        pending = (probe, now)
        let lack = lack(by: &input)
        try perform(machine.startProbe(probe, at: now, roundTrip: .milliseconds(3), routeFailure: lack))
    }

    /// Returns the failure of a missing route, one time in three.
    private func lack(by input: inout FuzzInput) -> Failure? {
        input.number(below: 3) > 0 ? nil : SessionScene.noCarrier
    }

    private func hearsay(by input: inout FuzzInput) -> [UInt8] {
        let choice = input.number(below: 6)
        if choice < 4 { return Self.words[choice] }
        return choice == 4 ? Mutation.noise(upTo: 40, using: &input.random) : Array(repeating: 120, count: 5_000)
    }

    /// Performs the machine's actions, and checks that they are allowed.
    private mutating func perform(_ acts: [SessionMachine.Action]) throws {
        for (index, act) in acts.enumerated() {
            switch act {
            case .connect:
                try hold(index == acts.count - 1, "connects before \(acts[index...])")
                try hold(isWild || line == .none, "connects while it is connected")
                line = .connecting
            case .close:
                line = .none
            case .send:
                try hold(isWild || line == .open, "writes without a connection")
            case .search(let search, let conversation):
                let isIgnored = machine.searched(.success(.found), conversation: conversation - 1, at: now).isEmpty
                try hold(isIgnored, "accepts the result of an earlier conversation")
                try perform(machine.searched(search.run(), conversation: conversation, at: now))
            case .end(let probe, let outcome):
                try hold(probe == pending?.probe, "ends a probe that is not in flight: \(probe.sequence)")
                pending = nil
                try hear(outcome)
            case .announce(.failed(let cause)):
                try hear(cause)
            case .announce, .probeNow:
                break
            }
        }
        guard let pending else { return }
        let deadline = machine.deadline
        let isInTime = deadline.map { $0 <= max(now, pending.since + Self.timeout) } == true
        try hold(isInTime, "waits until \(String(describing: deadline)) for a probe sent at \(pending.since)")
    }

    private mutating func hear(_ outcome: Outcome) throws {
        switch outcome {
        case .reply: last = "reply"
        case .timeout: last = "timeout"
        case .fault: last = "fault"
        case .failure(let failure):
            last = "failure"
            try holdShort(failure.detail)
        }
    }
}
