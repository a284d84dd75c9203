import Monitoring
import NIOCore

/// Probes by running the user's commands. Confined to its event loop.
final class CommandProber: Prober {
    /// How many commands run at the same time. Further ones wait.
    static let limit = 16

    /// How long to wait for the end of a command that is out of time. One that ignores TERM gets KILL after a second.
    static let endingTime = Duration.milliseconds(1_500)

    private struct Run {
        let probe: Probe
        /// The number of its command in the pool.
        let number: Int
        /// Whether it is out of time, and its command is being ended.
        var isEnding = false
    }

    private let gate: LoopGate
    private let pool: CommandPool
    private let name: (Target.ID) -> String?
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var runs = InFlight<Run>()
    /// The tickets of `runs`, by the numbers of their commands.
    private var tickets: [Int: InFlight<Run>.Ticket] = [:]
    private var waiting = InFlight<Probe>()
    private var line: [InFlight<Probe>.Ticket] = []
    /// How many commands have not ended, including those whose probes are void.
    private var count = 0

    /// - Parameter name: the name of a target for the environment of its command.
    init(
        gate: LoopGate,
        pool: CommandPool,
        name: @escaping (Target.ID) -> String?,
        time: @escaping () -> Duration,
        tell: @escaping (Notice) -> Void
    ) {
        self.gate = gate
        self.pool = pool
        self.name = name
        self.time = time
        self.tell = tell
    }

    var nextDeadline: Duration? {
        [runs.nextDeadline, waiting.nextDeadline].compactMap(\.self).min()
    }

    func ask(_ probe: Probe) {
        guard count >= Self.limit else { return start(probe) }
        line.append(waiting.add(probe, deadline: time() + probe.timeout))
    }

    func expire(at time: Duration) {
        for (_, run) in runs.expire(at: time) {
            guard !run.isEnding else {
                tickets[run.number] = nil
                tell(.ended(run.probe, .timeout))
                continue
            }
            // The command may have ended in time, which this process has not noticed yet. Then its own end counts.
            pool.end(run.number)
            let ending = Run(probe: run.probe, number: run.number, isEnding: true)
            tickets[run.number] = runs.add(ending, deadline: time + Self.endingTime)
        }
        for (ticket, probe) in waiting.expire(at: time) {
            line.removeAll { $0 == ticket }
            let detail = "\(Self.limit) commands are running already"
            tell(.ended(probe, .fault(Fault(.internal, detail: detail))))
        }
    }

    func void(at time: Duration) {
        for run in runs.removeAll() { pool.end(run.number) }
        tickets = [:]
        _ = waiting.removeAll()
        line = []
    }

    func keep(for questions: [Question]) {}

    private func start(_ probe: Probe) {
        guard case .exec(let command) = probe.question else { return }
        let environment = [
            (name: "REACH_TARGET", value: name(probe.target) ?? ""),
            (name: "REACH_URL", value: probe.question.url),
        ]
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        let number = pool.start(command, environment: environment) { [gate] number, result in
            gate.enter { bound.value.record(result, of: number) }
        }
        guard let number else {
            return tell(.ended(probe, .fault(Fault(.internal, detail: "commands are not run here"))))
        }
        count += 1
        tickets[number] = runs.add(Run(probe: probe, number: number), deadline: time() + probe.timeout)
    }

    /// Reports the result of a command that has ended, and starts the commands that wait.
    private func record(_ result: HookResult, of number: Int) {
        // Read before the run is looked for: it is void if this process was stopped meanwhile.
        _ = time()
        count -= 1
        if let ticket = tickets.removeValue(forKey: number), let run = runs.remove(ticket) {
            tell(.ended(run.probe, Outcome(of: result, from: run.probe.question)))
        }
        while count < Self.limit, !line.isEmpty {
            if let probe = waiting.remove(line.removeFirst()) { start(probe) }
        }
    }
}
