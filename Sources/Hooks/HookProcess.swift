import LibC
import Monitoring
import Subprocess
import Synchronization

/// One command, from its start to its end.
struct HookProcess: Sendable {
    let command: HookCommand
    let environment: [(name: String, value: String)]
    /// What the command finds on standard input.
    let input: String
    /// The signals that the command ignores.
    let ignoredSignals: Set<Int32>

    /// Starts the command and waits for its end. Whatever goes wrong is a status.
    ///
    /// - Parameters:
    ///   - onStart: gets the process group as soon as there is one.
    ///   - beforeReaping: is awaited when the leader has ended. The process group may be sent signals until it returns, and
    ///     never afterwards: its number may be another's then.
    @concurrent
    func run(
        onStart: @Sendable @escaping (ProcessGroup) async -> Void,
        beforeReaping: @Sendable @escaping () async -> Void
    ) async -> (status: HookResult.Status, output: OutputTail) {
        Self.ignoreBrokenPipes
        if let reason = command.reasonNotToStart(ignoring: ignoredSignals) {
            return (.notStarted(reason), OutputTail())
        }
        guard DescriptorRoom.enter() else {
            return (.notStarted("too few file descriptors are left; raise ulimit -n"), OutputTail())
        }
        let start = Start()
        defer { start.end() }
        do {
            let result = try await Subprocess.run(
                command.configuration(environment: environment, ignoring: ignoredSignals),
                input: .inputWriter,
                output: .sequence,
                error: .combinedWithOutput
            ) { execution in
                start.end()
                let group = ProcessGroup(leader: execution.processIdentifier.value)
                await onStart(group)
                async let written: Void = Self.write(input, to: execution.standardInputWriter)
                let output = await Self.collect(
                    execution.standardOutput.map { $0.withUnsafeBytes { Array($0) } },
                    hasLeaderEnded: { group.hasLeaderEnded }
                )
                await written
                // The library reaps the leader when this returns; one that has closed its output may run on.
                await group.waitForLeader()
                await beforeReaping()
                return output
            }
            return (Self.status(result.terminationStatus), result.closureResult)
        } catch {
            return (.notStarted(command.reason(notStartedBy: error)), OutputTail())
        }
    }

    /// A start under way, which ends once.
    private final class Start: Sendable {
        private let isUnderWay = Atomic(true)

        func end() {
            if isUnderWay.exchange(false, ordering: .relaxed) { DescriptorRoom.leave() }
        }
    }

    /// A command need not read its input; writing to one that has closed it fails, and that is all right.
    private static func write(_ input: String, to writer: StandardInputWriter) async {
        _ = try? await writer.write(Array(input.utf8))
        try? await writer.finish()
    }

    /// Reads until all who hold the pipe have closed it, or until the leader has ended: a process that it leaves behind
    /// may hold the pipe for ever. Subprocess stops waiting for more output then, but not while there always is more.
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
