import NIOCore
import ReachBasics
public import ReachMonitoring
import ReachSystem
import Synchronization

/// A prober that runs the user's commands. Confined to its event loop.
final class CommandProber: MethodProber {
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

    private let environment: ProberEnvironment
    private let pool: CommandPool
    private let name: (Target.ID) -> String?
    private var runs = InFlight<RunningCommand>()
    /// The tickets of `runs`, by command number.
    private var tickets: [Int: InFlight<RunningCommand>.Ticket] = [:]
    private var queued = InFlight<Probe>()
    private var queue: [InFlight<Probe>.Ticket] = []
    /// The number of running commands, including those whose probe was discarded.
    private var runningCount = 0

    /// - Parameter name: returns the name of a target, for the environment of its command.
    init(_ environment: ProberEnvironment, pool: CommandPool, name: @escaping (Target.ID) -> String?) {
        self.environment = environment
        self.pool = pool
        self.name = name
    }

    var nextDeadline: Duration? {
        [runs.nextDeadline, queued.nextDeadline].compactMap(\.self).min()
    }

    func send(_ probe: Probe) {
        guard runningCount >= Self.maxConcurrent else { return start(probe) }
        queue.append(queued.add(probe, deadline: environment.time() + probe.timeout))
    }

    func expire(at time: Duration) {
        for (_, run) in runs.expire(at: time) {
            guard !run.isTerminating else {
                tickets[run.number] = nil
                environment.report(.ended(run.probe, .timeout))
                continue
            }
            // The command may have ended in time without this process noticing yet. Then its result still counts.
            pool.cancel(run.number)
            let terminating = RunningCommand(probe: run.probe, number: run.number, isTerminating: true)
            tickets[run.number] = runs.add(terminating, deadline: time + Self.terminationTimeout)
        }
        for (ticket, probe) in queued.expire(at: time) {
            queue.removeAll { $0 == ticket }
            let detail =
                "no turn for the command: \(Self.maxConcurrent) others run – lengthen the intervals of exec: targets"
            environment.report(.ended(probe, .fault(Fault(.internal, detail: detail))))
        }
    }

    func discardInFlight(at time: Duration) {
        for run in runs.removeAll() { pool.cancel(run.number) }
        tickets = [:]
        _ = queued.removeAll()
        queue = []
    }

    private func start(_ probe: Probe) {
        guard case .exec(let command) = probe.question else { return }
        environment.report(.started(probe))
        let variables = [
            (name: "REACH_TARGET", value: name(probe.target) ?? ""),
            (name: "REACH_URL", value: probe.question.url),
        ]
        let bound = NIOLoopBound(self, eventLoop: environment.loop)
        let number = pool.start(command, environment: variables) { [gate = environment.gate] number, result in
            gate.enter { bound.value.record(result, of: number) }
        }
        guard let number else {
            let detail = "commands cannot be run: there is no runner for them – pass runCommand"
            return environment.report(.ended(probe, .fault(Fault(.internal, detail: detail))))
        }
        runningCount += 1
        let run = RunningCommand(probe: probe, number: number)
        tickets[number] = runs.add(run, deadline: environment.time() + probe.timeout)
    }

    /// Reports the result of a command, and starts queued commands.
    private func record(_ result: HookResult, of number: Int) {
        runningCount -= 1
        if let ticket = tickets.removeValue(forKey: number), let run = runs.remove(ticket) {
            environment.report(.ended(run.probe, Outcome(of: result, from: run.probe.question)))
        }
        while runningCount < Self.maxConcurrent, !queue.isEmpty {
            if let probe = queued.remove(queue.removeFirst()) { start(probe) }
        }
    }
}

/// Runs a command for a probe, with these variables added to our own environment, and returns when it has ended.
///
/// On cancellation of the task, the command and all processes that it has started are ended. The result contains the
/// beginning of the command's output.
public typealias CommandRunner =
    @Sendable (_ command: HookCommand, _ environment: [(name: String, value: String)]) async -> HookResult

/// The pool of running probe commands, including those whose probe was discarded.
final class CommandPool: Sendable {
    /// How long ``close()`` waits for cancelled commands.
    private static let closeTimeout = Duration.seconds(3)

    private struct State {
        var isOpen = true
        var count = 0
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    private let run: CommandRunner?
    private let state = Mutex(State())
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    /// - Parameter run: runs a command; nil if commands are not supported.
    init(run: CommandRunner?) {
        self.run = run
        (ends, end) = AsyncStream.makeStream()
    }

    /// Starts a command, and calls `ended` with its number and its result on any thread.
    ///
    /// - Returns: The number for ``cancel(_:)``; nil if commands are not supported or the pool is closed.
    func start(
        _ command: HookCommand,
        environment: [(name: String, value: String)],
        ended: @escaping @Sendable (Int, HookResult) -> Void
    ) -> Int? {
        guard let run else { return nil }
        return state.withLock { state in
            guard state.isOpen else { return nil }
            state.count += 1
            let number = state.count
            state.tasks[number] = Task {
                ended(number, await run(command, environment))
                remove(number)
            }
            return number
        }
    }

    /// Cancels a command, unless it has ended.
    func cancel(_ number: Int) {
        state.withLock { $0.tasks[number] }?.cancel()
    }

    /// Cancels all commands, and waits until they have ended. No command can be started afterwards.
    func close() async {
        let tasks = state.withLock { state in
            state.isOpen = false
            return state.tasks
        }
        guard !tasks.isEmpty else { return }
        for task in tasks.values { task.cancel() }
        // A command that is blocked in a broken device cannot be ended.
        _ = await withTimeout(Self.closeTimeout, clock: .suspending) { [ends] in for await _ in ends {} }
    }

    private func remove(_ number: Int) {
        let isLast = state.withLock { state in
            state.tasks[number] = nil
            return !state.isOpen && state.tasks.isEmpty
        }
        if isLast { end.finish() }
    }
}

extension Outcome {
    /// Creates the outcome from the exit status of a command: 0 is up, 1 is down, 2 is degraded.
    init(of result: HookResult, from question: Question) {
        let line = result.output.firstLine
        switch result.status {
        case .exited(0):
            self = .reply(Reply(roundTrip: result.duration, detail: line))
        case .exited(1):
            self = .failure(Failure(.exitStatus, detail: line ?? "exit status 1"))
        case .exited(2):
            self = .reply(Reply(roundTrip: result.duration, detail: line, concern: line ?? "exit status 2"))
        case .exited(let status) where (126...127).contains(status) && question.isShellLine:
            // The shell could not run the command (POSIX, 2.8.2), so the target was not probed.
            self = .fault(Fault(.internal, detail: line ?? "exit status \(status)"))
        case .exited(let code):
            let status = "exit status \(code)"
            self = .failure(Failure(.exitStatus, detail: line.map { "\(status): \($0)" } ?? status))
        case .signalled(let signal):
            self = .failure(Failure(.exitStatus, detail: "killed by signal \(signal)"))
        case .timedOut, .cancelled:
            self = .timeout
        case .notStarted(let why):
            self = .fault(Fault(.internal, detail: why))
        case .answered, .unanswered:
            self = .fault(Fault(.internal, detail: "a command ended with the result of a request"))
        }
    }
}

extension Question {
    fileprivate var isShellLine: Bool {
        if case .exec(.shell) = self { true } else { false }
    }
}

extension String {
    /// The first line that is not blank, shortened and without control characters.
    fileprivate var firstLine: String? {
        let limit = 60
        for line in split(whereSeparator: \.isNewline) {
            let shown = line.unicodeScalars.map { $0 == "\t" ? " " : $0 }.filter { !$0.isControl }
            let trimmed = String(String.UnicodeScalarView(shown)).trimmed
            if !trimmed.isEmpty { return trimmed.count > limit ? trimmed.prefix(limit - 1) + "…" : trimmed }
        }
        return nil
    }
}
