import Monitoring
import NIOCore

/// Asks by running the user's commands. Confined to its event loop.
final class CommandProber: Prober {
    /// How many commands run at the same time; the next ones wait for their turn.
    static let limit = 16

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
        [runs.nextDeadline, waiting.nextDeadline].compactMap(\.self).min()
    }

    func ask(_ probe: Probe) {
        guard count >= Self.limit else { return start(probe) }
        line.append(waiting.add(probe, deadline: time() + probe.timeout))
    }

    func expire(at time: Duration) {
        for (_, run) in runs.expire(at: time) {
            run.number.map(desk.end)
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
        if let run = runs.remove(ticket) {
            tell(.ended(run.probe, Outcome(of: result, from: run.probe.question)))
        }
        while count < Self.limit, !line.isEmpty {
            if let probe = waiting.remove(line.removeFirst()) { start(probe) }
        }
    }
}
