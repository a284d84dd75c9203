public import Monitoring
import Synchronization

/// Runs a command for a probe, with these variables added to our own environment, and returns when it has ended.
///
/// On cancellation of the task, the command and all processes that it has started are ended. The result contains the
/// beginning of the command's output.
public typealias CommandRunner =
    @Sendable (_ command: HookCommand, _ environment: [(name: String, value: String)]) async -> HookResult

/// The pool of running probe commands, including those whose probe was voided.
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
        let closeTimeout = Task { [end] in
            try? await Task.sleep(for: Self.closeTimeout, clock: .suspending)
            end.finish()
        }
        for await _ in ends {}
        closeTimeout.cancel()
    }

    private func remove(_ number: Int) {
        let isLast = state.withLock { state in
            state.tasks[number] = nil
            return !state.isOpen && state.tasks.isEmpty
        }
        if isLast { end.finish() }
    }
}
