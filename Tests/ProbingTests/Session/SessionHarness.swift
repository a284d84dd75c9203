import Monitoring

@testable import Probing

/// A finding about a session, without the values that differ between runs.
enum SessionFinding: Hashable {
    case session(SessionState)
    case reply
    case loss(Outcome)

    var isSession: Bool {
        if case .session = self { true } else { false }
    }
}

/// A session to a port of this machine, and its findings.
struct SessionHarness {
    let harness: EngineHarness
    let host: String
    let port: UInt16
    var options: SessionOptions
    var interval: Duration
    /// Long enough for a busy machine, unless a test waits for it.
    let timeout: Duration
    /// The newest reply.
    private(set) var lastReply: Reply?
    private var waiting: ArraySlice<SessionFinding> = []

    init(
        _ port: UInt16,
        _ options: SessionOptions = SessionOptions(),
        host: String = "127.0.0.1",
        interval: Duration = .milliseconds(100),
        timeout: Duration = .seconds(20),
        harness: EngineHarness = EngineHarness()
    ) {
        self.host = host
        self.port = port
        self.options = options
        self.interval = interval
        self.timeout = timeout
        self.harness = harness
        watch()
    }

    func watch() {
        let question = Question.session(host: host, port: port, options)
        harness.watch([question], interval: interval, timeout: timeout)
    }

    /// Collects findings until `isEnough` returns true. The rest of the last batch is kept for the next call.
    mutating func until(_ isEnough: ([SessionFinding]) -> Bool) async -> [SessionFinding] {
        var found: [SessionFinding] = []
        while !isEnough(found) {
            if let first = waiting.popFirst() {
                found.append(first)
                continue
            }
            let batch = await harness.batch()
            guard !batch.isEmpty else { break }
            waiting = []
            for finding in batch { append(finding) }
        }
        return found
    }

    private mutating func append(_ finding: Finding) {
        switch finding {
        case .session(_, let state, _, _):
            waiting.append(.session(state))
        case .observation(let observation):
            if case .reply(let reply) = observation.outcome {
                lastReply = reply
                waiting.append(.reply)
            } else {
                waiting.append(.loss(observation.outcome))
            }
        case .late, .duplicate, .addressChanged, .addresses, .link, .schedule, .stalled, .vantageReports,
            .vantagePointsReporting:
            break
        }
    }
}
