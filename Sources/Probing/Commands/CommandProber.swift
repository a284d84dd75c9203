import Monitoring
import NIOCore

/// A prober that runs the user's commands. Confined to its event loop.
final class CommandProber: Prober {
    /// The maximum number of concurrent commands. Further ones are queued.
    static let maxConcurrent = 16

    /// How long to wait for the end of a command after its timeout. A command that ignores TERM gets KILL after a
    /// second.
    static let terminationTimeout = Duration.milliseconds(1_500)

    private struct RunningCommand {
        let probe: Probe
        /// The number of its command in the pool.
        let number: Int
        /// Whether the command has timed out and is being terminated.
        var isTerminating = false
    }

    private let gate: LoopGate
    private let pool: CommandPool
    private let name: (Target.ID) -> String?
    private let time: () -> Duration
    private let report: (ProberEvent) -> Void
    private var runs = InFlight<RunningCommand>()
    /// The tickets of `runs`, by command number.
    private var tickets: [Int: InFlight<RunningCommand>.Ticket] = [:]
    private var queued = InFlight<Probe>()
    private var queue: [InFlight<Probe>.Ticket] = []
    /// The number of running commands, including those whose probe was voided.
    private var count = 0

    /// - Parameter name: returns the name of a target, for the environment of its command.
    init(
        gate: LoopGate,
        pool: CommandPool,
        name: @escaping (Target.ID) -> String?,
        time: @escaping () -> Duration,
        report: @escaping (ProberEvent) -> Void
    ) {
        self.gate = gate
        self.pool = pool
        self.name = name
        self.time = time
        self.report = report
    }

    var nextDeadline: Duration? {
        [runs.nextDeadline, queued.nextDeadline].compactMap(\.self).min()
    }

    func send(_ probe: Probe) {
        guard count >= Self.maxConcurrent else { return start(probe) }
        queue.append(queued.add(probe, deadline: time() + probe.timeout))
    }

    func expire(at time: Duration) {
        for (_, run) in runs.expire(at: time) {
            guard !run.isTerminating else {
                tickets[run.number] = nil
                report(.ended(run.probe, .timeout))
                continue
            }
            // The command may have ended in time without this process noticing yet. Then its result still counts.
            pool.cancel(run.number)
            let terminating = RunningCommand(probe: run.probe, number: run.number, isTerminating: true)
            tickets[run.number] = runs.add(terminating, deadline: time + Self.terminationTimeout)
        }
        for (ticket, probe) in queued.expire(at: time) {
            queue.removeAll { $0 == ticket }
            let detail = "\(Self.maxConcurrent) commands are running already"
            report(.ended(probe, .fault(Fault(.internal, detail: detail))))
        }
    }

    func void(at time: Duration) {
        for run in runs.removeAll() { pool.cancel(run.number) }
        tickets = [:]
        _ = queued.removeAll()
        queue = []
    }

    private func start(_ probe: Probe) {
        guard case .exec(let command) = probe.question else { return }
        report(.started(probe))
        let environment = [
            (name: "REACH_TARGET", value: name(probe.target) ?? ""),
            (name: "REACH_URL", value: probe.question.url),
        ]
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        let number = pool.start(command, environment: environment) { [gate] number, result in
            gate.enter { bound.value.record(result, of: number) }
        }
        guard let number else {
            return report(.ended(probe, .fault(Fault(.internal, detail: "commands are not run here"))))
        }
        count += 1
        tickets[number] = runs.add(RunningCommand(probe: probe, number: number), deadline: time() + probe.timeout)
    }

    /// Reports the result of a command, and starts queued commands.
    private func record(_ result: HookResult, of number: Int) {
        // The clock is read before the lookup: if this process was stopped meanwhile, reading it voids the probe.
        _ = time()
        count -= 1
        if let ticket = tickets.removeValue(forKey: number), let run = runs.remove(ticket) {
            report(.ended(run.probe, Outcome(of: result, from: run.probe.question)))
        }
        while count < Self.maxConcurrent, !queue.isEmpty {
            if let probe = queued.remove(queue.removeFirst()) { start(probe) }
        }
    }
}
