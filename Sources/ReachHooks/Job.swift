import ReachMonitoring
import ReachSystem
import Subprocess
import Synchronization

/// A running command or request. It performs the actions of its ``ProcessLifetime``.
final class Job: Sendable {
    private struct State: Sendable {
        var lifetime: ProcessLifetime
        /// The process group of a command from its start until its leader is about to be reaped.
        var group: ProcessGroup?
        /// The task that sends a request.
        var request: Task<HookResult, Never>?
        var timer: Task<Void, Never>?
        /// The number of calls of ``Job/handle(_:)`` in progress, which may send signals to the group.
        var calls = 0
    }

    /// The reference of the times passed to the state machine.
    private static let epoch = SuspendingClock.now

    private let state: Mutex<State>
    private let (reaping, permitReaping) = AsyncStream.makeStream(of: Never.self)

    /// Creates a job that has not started.
    ///
    /// - Parameters:
    ///   - timeout: The maximum duration; nil if only ``cancel(grace:)`` and ``kill()`` end the job. Time in which this
    ///     process was stopped or the machine was suspended does not count.
    ///   - grace: The time between SIGTERM and SIGKILL after the timeout.
    ///   - endsGroup: Whether the processes that a command leaves behind are ended.
    init(timeout: Duration? = nil, grace: Duration = .zero, endsGroup: Bool = false) {
        state = Mutex(State(lifetime: ProcessLifetime(timeout: timeout, grace: grace, endsGroup: endsGroup)))
    }

    /// The process group of a command that is running or not yet reaped.
    var group: ProcessGroup? { state.withLock(\.group) }

    /// Why the program ended the job: `timedOut` or `cancelled`. It replaces the status of the command or request.
    var cause: HookResult.Status? { state.withLock(\.lifetime.cause) }

    /// Ends the job unless it has ended by itself: sends SIGTERM now, and SIGKILL after the grace period.
    func cancel(grace: Duration) { handle(.cancel(grace: grace)) }

    /// Ends the job by SIGKILL.
    func kill() { handle(.kill) }

    /// Runs a command and waits until it ends. If it is ended by ``cancel(grace:)``, ``kill()`` or the timeout, this
    /// also waits for the other processes of its group.
    ///
    /// The current task must not be cancelled: swift-subprocess would then end the command in its own way.
    ///
    /// - Parameters:
    ///   - command: The command to run.
    ///   - environment: Variables added to the inherited environment.
    ///   - input: The standard input of the command.
    ///   - ignoredSignals: The signals that the command ignores.
    ///   - onStart: Called and awaited after the process has started.
    /// - Returns: The status and the output. A failed start is a status, not an error.
    @concurrent
    func run(
        _ command: HookCommand,
        environment: [(name: String, value: String)],
        input: String = "",
        ignoredSignals: Set<Int32>,
        onStart: @Sendable (ProcessGroup) async -> Void = { _ in }
    ) async -> (status: HookResult.Status, output: OutputTail) {
        let (status, output) = await execute(
            command,
            environment: environment,
            input: input,
            ignoredSignals: ignoredSignals,
            errors: .combinedWithOutput,
            onStart: onStart
        ) { execution, group in
            await Self.collect(
                execution.standardOutput.map { $0.withUnsafeBytes { Array($0) } },
                hasLeaderEnded: { group.hasLeaderEnded }
            )
        }
        return (status, output ?? OutputTail())
    }

    /// Runs a command like ``run(_:environment:input:ignoredSignals:onStart:)``, and returns its whole standard output. It is
    /// ended when it writes more than `limit` bytes; what it writes then is not kept.
    @concurrent
    func run(
        _ command: HookCommand,
        input: String,
        limit: Int,
        ignoredSignals: Set<Int32>
    ) async -> (status: HookResult.Status, output: [UInt8], errors: OutputTail, isTooLong: Bool) {
        let (status, result) = await execute(
            command,
            environment: [],
            input: input,
            ignoredSignals: ignoredSignals,
            errors: .sequence
        ) { [self] execution, group in
            async let errors = Self.collect(
                execution.standardError.map { $0.withUnsafeBytes { Array($0) } },
                hasLeaderEnded: { group.hasLeaderEnded }
            )
            var output: [UInt8] = []
            var isTooLong = false
            do {
                for try await chunk in execution.standardOutput {
                    chunk.withUnsafeBytes { bytes in
                        isTooLong = isTooLong || output.count + bytes.count > limit
                        if !isTooLong { output += bytes }
                    }
                    if isTooLong { cancel(grace: .seconds(1)) }
                    if isTooLong, group.hasLeaderEnded { break }
                }
            } catch {
                // What was read before counts.
            }
            return (output: output, errors: await errors, isTooLong: isTooLong)
        }
        return (status, result?.output ?? [], result?.errors ?? OutputTail(), result?.isTooLong ?? false)
    }

    /// Runs a command, and waits until it ends.
    ///
    /// - Parameters:
    ///   - errors: Where its standard error goes.
    ///   - read: Reads its output until that ends.
    private func execute<Errors: ErrorOutputProtocol, Output: Sendable>(
        _ command: HookCommand,
        environment: [(name: String, value: String)],
        input: String,
        ignoredSignals: Set<Int32>,
        errors: Errors,
        onStart: @Sendable (ProcessGroup) async -> Void = { _ in },
        read: @Sendable (Execution<CustomWriteInput, SequenceOutput, Errors>, ProcessGroup) async -> Output
    ) async -> (status: HookResult.Status, output: Output?) {
        Self.ignoreSIGPIPE
        // No effect if the command was started.
        defer { handle(.notStarted) }
        guard cause == nil else { return (.cancelled, nil) }
        if let reason = command.reasonNotToStart(ignoring: ignoredSignals) {
            return (.notStarted(reason), nil)
        }
        if let reason = DescriptorReservation.acquire() { return (.notStarted(reason), nil) }
        do {
            let result = try await Subprocess.run(
                command.configuration(environment: environment, ignoring: ignoredSignals),
                input: .inputWriter,
                output: .sequence,
                error: errors
            ) { execution in
                let group = ProcessGroup(leader: execution.processIdentifier.value)
                DescriptorReservation.release()
                didStart(group)
                await onStart(group)
                async let written: Void = Self.write(input, to: execution.standardInputWriter)
                let output = await read(execution, group)
                await written
                // A command may run on after closing its output. The library can wait for its end without reaping it
                // only in a teardown. This one sends signal 0, which has no effect, and never reaches a second step.
                let none = Signal(rawValue: 0)
                let wait = TeardownStep.send(signal: none, allowedDurationToNextStep: .seconds(Int32.max))
                if !group.hasLeaderEnded { await execution.teardown(using: [wait]) }
                // The end may be reported shortly before the process can be reaped.
                while !group.hasLeaderEnded { try? await Task.sleep(for: .milliseconds(10), clock: .suspending) }
                handle(.leaderEnded)
                for await _ in reaping {}
                return output
            }
            return (Self.status(result.terminationStatus), result.closureResult)
        } catch {
            if state.withLock(\.lifetime.state) == .starting { DescriptorReservation.release() }
            return (.notStarted(command.reason(notStartedBy: error)), nil)
        }
    }

    /// Sends a request and waits for its result. The timeout, ``cancel(grace:)`` and ``kill()`` cancel its task.
    ///
    /// - Parameters:
    ///   - send: Sends the request.
    ///   - onStart: Called when sending begins.
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

    /// Records the process group of a command that was started.
    func didStart(_ group: ProcessGroup) {
        state.withLock { $0.group = group }
        handle(.started)
    }

    /// Passes an event to the state machine and performs its actions: the timer under the lock, signals and searches of
    /// `/proc` outside. The leader is reaped when no call is in progress, so that no signal reaches a group that has its
    /// identifier later.
    private func handle(_ event: ProcessLifetime.Event) {
        let group = state.withLock { state in
            state.calls += 1
            return state.group
        }
        // After this process was stopped, its timer and the end of the command arrive together. The end has priority.
        if group?.hasLeaderEnded == true { perform(.leaderEnded) }
        perform(event)
        let (request, mayReap) = state.withLock { state in
            state.calls -= 1
            return (
                state.lifetime.cause == nil ? nil : state.request,
                state.lifetime.state == .ended && state.calls == 0
            )
        }
        request?.cancel()
        if mayReap { permitReaping.finish() }
    }

    private func perform(_ event: ProcessLifetime.Event) {
        let (actions, group) = state.withLock { state in
            let group = state.group
            let actions = state.lifetime.handle(event, at: SuspendingClock.now - Self.epoch)
            for action in actions {
                switch action {
                case .wake(let delay):
                    state.timer?.cancel()
                    state.timer = Task {
                        try? await Task.sleep(for: delay, clock: .suspending)
                        if !Task.isCancelled { handle(.woken) }
                    }
                case .reap:
                    state.group = nil
                    state.timer?.cancel()
                case .terminate, .kill, .checkMembers: break
                }
            }
            return (actions, group)
        }
        for action in actions {
            switch action {
            case .terminate: group?.terminate()
            case .kill: group?.kill()
            case .checkMembers:
                var searched = group
                let areRunning = searched?.isRunning() == true
                // The next check begins with the member that this one has found.
                state.withLock { if $0.group != nil { $0.group = searched } }
                perform(.members(areRunning: areRunning))
            case .wake, .reap: break
            }
        }
    }

    /// Writes the standard input. Errors are ignored, since a command may close its input without reading it.
    private static func write(_ input: String, to writer: StandardInputWriter) async {
        _ = try? await writer.write(Array(input.utf8))
        try? await writer.finish()
    }

    /// Reads the output until all processes have closed the pipe, or until the leader has ended.
    ///
    /// A background process may hold the pipe open forever. After the leader has ended, Subprocess stops waiting for
    /// output, but keeps reading while more arrives. So this stops after ``largestPipe`` bytes.
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
            // The output read before the error is kept.
        }
        return output
    }

    /// The maximum size of a pipe: more cannot be in it when the leader ends (Linux `fs.pipe-max-size`, unless root
    /// raised it).
    static let largestPipe = 1 << 20

    private static func status(_ status: TerminationStatus) -> HookResult.Status {
        switch status {
        case .exited(let code): .exited(Int(code))
        case .signaled(let signal): .signalled(Int(signal))
        }
    }

    /// Ignores SIGPIPE, so that writing to a command that has ended is an error and does not end this process. Commands
    /// start with the default action. SwiftNIO does the same on Linux when it opens a socket.
    private static let ignoreSIGPIPE: Void = {
        _ = signal(SIGPIPE, SIG_IGN)
    }()
}

/// The process group of a child process, which is its leader.
///
/// It is valid until the leader is reaped. Until then, the kernel does not reuse the identifier of the group.
struct ProcessGroup: Sendable {
    /// The process identifier of the leader, which also identifies the group and its session.
    let leader: Int32
    #if os(Linux)
    /// A member that was running at the last check.
    private var member: Int32?
    #endif

    /// Creates the group of a process that was started as its leader.
    init(leader: Int32) {
        self.leader = leader
    }

    /// Sends SIGTERM to every member.
    func terminate() {
        _ = ReachSystem.kill(-leader, SIGTERM)
        // A stopped process receives SIGTERM only after it continues.
        _ = ReachSystem.kill(-leader, SIGCONT)
    }

    /// Sends SIGKILL to every member.
    func kill() {
        _ = ReachSystem.kill(-leader, SIGKILL)
    }

    /// Whether the leader has ended.
    var hasLeaderEnded: Bool {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(leader), &info, WEXITED | WNOHANG | WNOWAIT) == 0 else { return true }
        return info.si_signo != 0
    }
}

#if os(Linux)
extension ProcessGroup {
    /// Returns whether a member is running; true if that cannot be determined.
    ///
    /// Signal 0 cannot be used: it also reaches zombies, and the leader is one until it is reaped. Other zombies
    /// remain forever if the first process of a container does not reap orphans. So this searches `/proc` for a
    /// running member, and later calls check only that member until it has ended.
    mutating func isRunning() -> Bool {
        if let member, isRunning(member) { return true }
        guard let directory = opendir("/proc") else { return true }
        defer { closedir(directory) }
        member = nil
        while let entry = readdir(directory), member == nil {
            let process = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { atoi($0) }
            }
            // Entries that are not numbers are zero here.
            if process > 0, isRunning(process) { member = process }
        }
        return member != nil
    }

    private func isRunning(_ process: Int32) -> Bool {
        getpgid(process) == leader && !Self.hasEnded(process)
    }

    /// Reads the state from `/proc/PID/stat`: `1234 (name) S 1 1234 …`, where the name may contain any characters.
    private static func hasEnded(_ process: Int32) -> Bool {
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return errno == ENOENT }
        defer { close(file) }
        guard let bytes = try? readPiece(from: file, limit: 512),
            let nameEnd = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return true }
        let state = bytes[(nameEnd + 1)...].first { $0 != UInt8(ascii: " ") }
        return state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
    }
}
#else
extension ProcessGroup {
    /// Returns whether a member is running. On this system, signals do not reach zombies (EPERM if there are only
    /// zombies).
    mutating func isRunning() -> Bool { ReachSystem.kill(-leader, 0) == 0 }
}
#endif
