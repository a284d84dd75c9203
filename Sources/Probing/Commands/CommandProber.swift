import Monitoring
import NIOCore

/// Asks by running the user's commands. Confined to its event loop.
final class CommandProber: Prober {
    /// How many commands run at the same time; the next ones wait for their turn.
    static let limit = 16

    /// How long the end of a command that is out of time is waited for. One that ignores TERM gets KILL after a second.
    static let endingTime = Duration.milliseconds(1_500)

    private struct Run {
        let probe: Probe
        var number: Int?
    }

    private let gate: LoopGate
    private let desk: CommandDesk
    private let name: (Target.ID) -> String?
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var runs = InFlight<Run>()
    /// The runs that are out of time and are being ended, by their tickets in `runs`.
    private var ending: [InFlight<Run>.Ticket: InFlight<Run>.Ticket] = [:]
    private var endingRuns = InFlight<Run>()
    private var waiting = InFlight<Probe>()
    private var line: [InFlight<Probe>.Ticket] = []
    /// How many commands have not ended, those that nobody waits for included.
    private var count = 0

    /// - Parameter name: what a command is told that its target is named.
    init(
        gate: LoopGate,
        desk: CommandDesk,
        name: @escaping (Target.ID) -> String?,
        time: @escaping () -> Duration,
        tell: @escaping (Notice) -> Void
    ) {
        self.gate = gate
        self.desk = desk
        self.name = name
        self.time = time
        self.tell = tell
    }

    var nextDeadline: Duration? {
        [runs.nextDeadline, endingRuns.nextDeadline, waiting.nextDeadline].compactMap(\.self).min()
    }

    func ask(_ probe: Probe) {
        guard count >= Self.limit else { return start(probe) }
        line.append(waiting.add(probe, deadline: time() + probe.timeout))
    }

    func expire(at time: Duration) {
        // The command may have ended in time, and this process was too slow to notice: its own end counts.
        for (ticket, run) in runs.expire(at: time) {
            run.number.map(desk.end)
            ending[ticket] = endingRuns.add(run, deadline: time + Self.endingTime)
        }
        for (ticket, run) in endingRuns.expire(at: time) {
            ending = ending.filter { $0.value != ticket }
            tell(.ended(run.probe, .timeout))
        }
        for (ticket, probe) in waiting.expire(at: time) {
            line.removeAll { $0 == ticket }
            let detail = "\(Self.limit) commands are running already"
            tell(.ended(probe, .fault(Fault(.internal, detail: detail))))
        }
    }

    func void(at time: Duration) {
        for run in runs.removeAll() { run.number.map(desk.end) }
        _ = endingRuns.removeAll()
        ending = [:]
        _ = waiting.removeAll()
        line = []
    }

    func keep(for questions: [Question]) {}

    private func start(_ probe: Probe) {
        guard case .exec(let command) = probe.question else { return }
        let ticket = runs.add(Run(probe: probe), deadline: time() + probe.timeout)
        let environment = [
            (name: "REACH_TARGET", value: name(probe.target) ?? ""),
            (name: "REACH_URL", value: probe.question.url),
        ]
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        let number = desk.start(command, environment: environment) { [gate] result in
            gate.enter { bound.value.record(result, of: ticket) }
        }
        guard let number else {
            _ = runs.remove(ticket)
            return tell(.ended(probe, .fault(Fault(.internal, detail: "commands are not run here"))))
        }
        count += 1
        runs.update(ticket) { $0.number = number }
    }

    /// Takes in that a command has ended, and lets the next one have its turn.
    private func record(_ result: HookResult, of ticket: InFlight<Run>.Ticket) {
        // Read before the run is looked for: it is void if this process was stopped meanwhile.
        _ = time()
        count -= 1
        if let run = runs.remove(ticket) ?? ending.removeValue(forKey: ticket).flatMap({ endingRuns.remove($0) }) {
            tell(.ended(run.probe, Outcome(of: result, from: run.probe.question)))
        }
        while count < Self.limit, !line.isEmpty {
            if let probe = waiting.remove(line.removeFirst()) { start(probe) }
        }
    }
}
