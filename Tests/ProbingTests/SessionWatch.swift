import Monitoring

@testable import Probing

/// What was found of a session, without what differs from run to run.
enum Happening: Hashable {
    case session(SessionState)
    case reply
    case loss(Outcome)

    var isSession: Bool {
        if case .session = self { true } else { false }
    }
}

/// One session to a port of this machine, and what is found of it.
struct SessionWatch {
    let tower: Watchtower
    let host: String
    let port: UInt16
    var options: SessionOptions
    var interval: Duration
    /// Long enough for a busy machine, where a test does not wait for it.
    let timeout: Duration
    /// The newest reply.
    private(set) var lastReply: Reply?
    private var waiting: ArraySlice<Happening> = []

    init(
        _ port: UInt16,
        _ options: SessionOptions = SessionOptions(),
        host: String = "127.0.0.1",
        interval: Duration = .milliseconds(100),
        timeout: Duration = .seconds(20),
        tower: Watchtower = Watchtower()
    ) {
        self.host = host
        self.port = port
        self.options = options
        self.interval = interval
        self.timeout = timeout
        self.tower = tower
        watch()
    }

    func watch() {
        let question = Question.session(host: host, port: port, options)
        tower.watch([question], interval: interval, timeout: timeout)
    }

    /// Takes what is found until `isEnough` is true of it; the rest of the last batch is left for the next call.
    mutating func until(_ isEnough: ([Happening]) -> Bool) async -> [Happening] {
        var taken: [Happening] = []
        while !isEnough(taken) {
            if let first = waiting.popFirst() {
                taken.append(first)
                continue
            }
            let batch = await tower.batch()
            guard !batch.isEmpty else { break }
            waiting = []
            for finding in batch { take(finding) }
        }
        return taken
    }

    private mutating func take(_ finding: Finding) {
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
        case .late, .duplicate, .addressChanged, .addresses, .link, .stalled:
            break
        }
    }
}
