import LibC
import Monitoring
import Subprocess
import Synchronization

/// A command or a request, from its start to its end. It performs the actions of a ``ProcessLifetime``.
final class Job: Sendable {
    private struct State: Sendable {
        var lifetime: ProcessLifetime
        /// Nil until a command is started, again before its leader is reaped, and for a request.
        var group: ProcessGroup?
        /// Nil until a request is being sent, and for a command.
        var request: Task<HookResult, Never>?
        var timer: Task<Void, Never>?
    }

    /// The zero of the times that the state machine gets.
    private static let zero = SuspendingClock.now

    private let state: Mutex<State>
    private let (reaping, permitReaping) = AsyncStream.makeStream(of: Never.self)

    /// - Parameters:
    ///   - timeout: how long it may run; nil where only ``cancel(grace:)`` and ``kill()`` end it. Time in which this process
    ///     was stopped, or the machine suspended, does not count.
    ///   - grace: how long a command has from TERM to KILL after its timeout.
    init(timeout: Duration? = nil, grace: Duration = .zero) {
        state = Mutex(State(lifetime: ProcessLifetime(timeout: timeout, grace: grace)))
    }

    /// The process group of a command that was started and not reaped.
    var group: ProcessGroup? { state.withLock(\.group) }

    /// Why it was ended by us, which counts instead of its own status: `timedOut` or `cancelled`.
    var cause: HookResult.Status? { state.withLock(\.lifetime.cause) }

    /// Ends it, unless it has ended by itself: TERM now, and KILL to what is left after the grace period.
    func cancel(grace: Duration) { handle(.cancel(grace: grace)) }

    /// Ends it by KILL.
    func kill() { handle(.kill) }

    /// Starts a command, and waits until it has ended, and its group too if the command was ended by ``cancel(grace:)``,
    /// ``kill()`` or its timeout. A failure is a status.
    ///
    /// The current task must not be cancelled: swift-subprocess would end the command in its own way.
    ///
    /// - Parameters:
    ///   - environment: variables on top of our own.
    ///   - input: what the command finds on standard input.
    ///   - ignoredSignals: the signals that the command ignores.
    ///   - onStart: is awaited as soon as there is a process.
    @concurrent
    func run(
        _ command: HookCommand,
        environment: [(name: String, value: String)],
        input: String = "",
        ignoredSignals: Set<Int32>,
        onStart: @Sendable (ProcessGroup) async -> Void = { _ in }
    ) async -> (status: HookResult.Status, output: OutputTail) {
        Self.ignoreBrokenPipes
        // Has no effect on a command that was started.
        defer { handle(.notStarted) }
        guard cause == nil else { return (.cancelled, OutputTail()) }
        if let reason = command.reasonNotToStart(ignoring: ignoredSignals) {
            return (.notStarted(reason), OutputTail())
        }
        guard DescriptorRoom.enter() else {
            return (.notStarted("too few file descriptors are left; raise ulimit -n"), OutputTail())
        }
        do {
            let result = try await Subprocess.run(
                command.configuration(environment: environment, ignoring: ignoredSignals),
                input: .inputWriter,
                output: .sequence,
                error: .combinedWithOutput
            ) { execution in
                let group = ProcessGroup(leader: execution.processIdentifier.value)
                DescriptorRoom.leave()
                begin(as: group)
                await onStart(group)
                async let written: Void = Self.write(input, to: execution.standardInputWriter)
                let output = await Self.collect(
                    execution.standardOutput.map { $0.withUnsafeBytes { Array($0) } },
                    hasLeaderEnded: { group.hasLeaderEnded }
                )
                await written
                // A command that has closed its output may run on. The library can wait for its end without reaping it only
                // as the first step of a teardown. This one sends signal 0, which has no effect, and never gets to a second.
                let none = Signal(rawValue: 0)
                let wait = TeardownStep.send(signal: none, allowedDurationToNextStep: .seconds(Int32.max))
                if !group.hasLeaderEnded { await execution.teardown(using: [wait]) }
                // The end may be reported slightly before the process can be reaped.
                while !group.hasLeaderEnded { try? await Task.sleep(for: .milliseconds(10), clock: .suspending) }
                handle(.leaderEnded)
                for await _ in reaping {}
                return output
            }
            return (Self.status(result.terminationStatus), result.closureResult)
        } catch {
            if state.withLock(\.lifetime.state) == .starting { DescriptorRoom.leave() }
            return (.notStarted(command.reason(notStartedBy: error)), OutputTail())
        }
    }

    /// Sends a request, and waits for its result. Its timeout, ``cancel(grace:)`` and ``kill()`` cancel the task.
    ///
    /// - Parameter onStart: is called when the request is being sent.
    func run(_ send: @escaping @Sendable () async -> HookResult, onStart: () -> Void) async -> HookResult {
        guard cause == nil else {
            handle(.notStarted)
            return HookResult(status: .cancelled, duration: .zero)
        }
        let request = Task { await send() }
        state.withLock { $0.request = request }
        handle(.started)
        onStart()
        let result = await request.value
        handle(.leaderEnded)
        return result
    }

    /// Reports that the command was started.
    func begin(as group: ProcessGroup) {
        state.withLock { $0.group = group }
        handle(.started)
    }

    /// Gives an event to the state machine, and performs the actions. Signals are sent under the lock, so that none is sent
    /// after ``ProcessLifetime/Action/reap``.
    private func handle(_ event: ProcessLifetime.Event) {
        let (request, hasEnded) = state.withLock { state in
            // If this process was stopped meanwhile, its timer and the end of the command come together. The end counts.
            if state.group?.hasLeaderEnded == true { perform(.leaderEnded, on: &state) }
            perform(event, on: &state)
            return (state.lifetime.cause == nil ? nil : state.request, state.lifetime.state == .ended)
        }
        // Not under the lock: both run code that may take other locks.
        request?.cancel()
        if hasEnded { permitReaping.finish() }
    }

    private func perform(_ event: ProcessLifetime.Event, on state: inout State) {
        for action in state.lifetime.handle(event, at: SuspendingClock.now - Self.zero) {
            switch action {
            case .terminate: state.group?.terminate()
            case .kill: state.group?.kill()
            case .lookForMembers:
                let areRunning = state.group?.isRunning() == true
                perform(.members(areRunning: areRunning), on: &state)
            case .wake(let delay):
                state.timer?.cancel()
                state.timer = Task {
                    try? await Task.sleep(for: delay, clock: .suspending)
                    if !Task.isCancelled { handle(.woken) }
                }
            case .reap:
                state.group = nil
                state.timer?.cancel()
            }
        }
    }

    /// A command need not read its input. Writing to one that has closed it fails, which is ignored.
    private static func write(_ input: String, to writer: StandardInputWriter) async {
        _ = try? await writer.write(Array(input.utf8))
        try? await writer.finish()
    }

    /// Reads until every process that holds the pipe has closed it, or until the leader has ended: a process that it leaves
    /// behind may hold the pipe for ever. Subprocess stops waiting for more output then, but not while there always is more.
    static func collect(
        _ chunks: some AsyncSequence<[UInt8], any Error>,
        hasLeaderEnded: () -> Bool
    ) async -> OutputTail {
        var output = OutputTail()
        var sinceEnd = 0
        do {
            for try await chunk in chunks {
                chunk.withUnsafeBytes { output.append($0) }
                guard hasLeaderEnded() else { continue }
                sinceEnd += chunk.count
                if sinceEnd > largestPipe { break }
            }
        } catch {
            // What was read before the pipe failed stands.
        }
        return output
    }

    /// More cannot have been in the pipe when the leader ended (Linux's `fs.pipe-max-size`, unless root raised it).
    static let largestPipe = 1 << 20

    private static func status(_ status: TerminationStatus) -> HookResult.Status {
        switch status {
        case .exited(let code): .exited(Int(code))
        case .signaled(let signal): .signalled(Int(signal))
        }
    }

    /// Writing to a command that has ended must be an error, not our end. Commands get the signal's default back.
    /// (SwiftNIO does the same on Linux as soon as it opens a socket.)
    private static let ignoreBrokenPipes: Void = {
        _ = signal(SIGPIPE, SIG_IGN)
    }()
}
