import Monitoring
import Synchronization

/// The commands that run for probes, until they have ended. A command whose probe is void is in it too.
final class CommandPool: Sendable {
    /// How long ``close()`` waits for commands that were cancelled.
    private static let patience = Duration.seconds(3)

    private struct Running {
        var isOpen = true
        var count = 0
        var tasks: [Int: Task<Void, Never>] = [:]
    }

    private let run: CommandRunner?
    private let running = Mutex(Running())
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    /// - Parameter run: runs a command; nil where commands are not run.
    init(run: CommandRunner?) {
        self.run = run
        (ends, end) = AsyncStream.makeStream()
    }

    /// Starts a command, and calls `ended` with its number and its result on any thread.
    ///
    /// - Returns: The number to end it by; nil where commands are not run.
    func start(
        _ command: HookCommand,
        environment: [(name: String, value: String)],
        ended: @escaping @Sendable (Int, HookResult) -> Void
    ) -> Int? {
        guard let run else { return nil }
        return running.withLock { running in
            guard running.isOpen else { return nil }
            running.count += 1
            let number = running.count
            running.tasks[number] = Task {
                ended(number, await run(command, environment))
                remove(number)
            }
            return number
        }
    }

    /// Ends a command, unless it has ended.
    func end(_ number: Int) {
        running.withLock { $0.tasks[number] }?.cancel()
    }

    /// Ends all commands, and waits until they have ended. No command is started any more.
    func close() async {
        let tasks = running.withLock { running in
            running.isOpen = false
            return running.tasks
        }
        guard !tasks.isEmpty else { return }
        for task in tasks.values { task.cancel() }
        // A command inside a broken device cannot be ended.
        let patience = Task { [end] in
            try? await Task.sleep(for: Self.patience, clock: .suspending)
            end.finish()
        }
        for await _ in ends {}
        patience.cancel()
    }

    private func remove(_ number: Int) {
        let isLast = running.withLock { running in
            running.tasks[number] = nil
            return !running.isOpen && running.tasks.isEmpty
        }
        if isLast { end.finish() }
    }
}
