package import ReachMonitoring

/// A bounded buffer with the end of the output of a command, and its first bytes.
public struct OutputTail: Sendable, Hashable {
    /// The capacity that the runner uses for each command.
    public static let defaultCapacity = 64 * 1_024

    /// The number of first bytes that are kept, enough for a line or two.
    private static let headCapacity = 1_024

    /// The maximum number of last bytes that are kept.
    public let capacity: Int
    /// The total number of bytes written.
    private var written = 0
    /// At least the last bytes, and up to twice the capacity. Trimming rarely is cheaper than shifting for each chunk.
    private var bytes: [UInt8] = []
    private var firstBytes: [UInt8] = []

    /// Creates an empty buffer.
    ///
    /// - Precondition: `capacity` is positive.
    public init(capacity: Int = Self.defaultCapacity) {
        precondition(capacity > 0, "a tail keeps at least one byte")
        self.capacity = capacity
    }

    /// Appends a chunk, and drops the oldest bytes beyond the capacity.
    public mutating func append(_ chunk: some Collection<UInt8>) {
        written += chunk.count
        firstBytes += chunk.prefix(Self.headCapacity - firstBytes.count)
        bytes.append(contentsOf: chunk.suffix(capacity))
        if bytes.count >= 2 * capacity { bytes.removeFirst(bytes.count - capacity) }
    }

    /// The number of bytes written before ``text`` begins.
    public var droppedBytes: Int {
        written - kept.count
    }

    /// The kept bytes as text. A character cut at the beginning is left out, and other invalid UTF-8 becomes U+FFFD.
    public var text: String {
        String(decoding: kept, as: UTF8.self)
    }

    /// The beginning of the output, which ``text`` may not contain.
    var head: String {
        String(decoding: firstBytes, as: UTF8.self)
    }

    private var kept: ArraySlice<UInt8> {
        let tail = bytes.suffix(capacity)
        guard written > tail.count else { return tail }
        // At most three continuation bytes follow the lead byte of a character. More are invalid UTF-8.
        let partial = tail.prefix(3).prefix { $0 & 0b1100_0000 == 0b1000_0000 }
        return tail.dropFirst(partial.count)
    }
}

/// The whole output of a command that was run for it.
package struct CommandOutput: Sendable, Hashable {
    /// How the command ended.
    package let status: HookResult.Status
    /// Its standard output.
    package let bytes: [UInt8]
    /// The last line of its standard error; empty if there is none.
    package let lastError: String
    /// Whether the output was longer than the limit.
    package let isTooLong: Bool
}

extension HookCommand {
    /// Runs the command, and returns its standard output.
    ///
    /// After the timeout, and when the task is cancelled, the process group of the command gets SIGTERM, and SIGKILL a second
    /// later. Processes that it leaves behind are ended too. This returns after all its processes have ended.
    ///
    /// - Parameters:
    ///   - input: The standard input of the command.
    ///   - limit: The largest size of the output in bytes. A command that writes more is ended.
    package func output(
        input: String = "",
        limit: Int,
        timeout: Duration,
        ignoredSignals: Set<Int32> = []
    ) async -> CommandOutput {
        let job = Job(timeout: timeout, grace: .seconds(1), endsGroup: true)
        let running = Task { await job.run(self, input: input, limit: limit, ignoredSignals: ignoredSignals) }
        let (status, bytes, errors, isTooLong) = await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            job.cancel(grace: .seconds(1))
        }
        return CommandOutput(
            status: job.cause ?? status,
            bytes: bytes,
            lastError: errors.text.split(whereSeparator: \.isNewline).last.map(String.init) ?? "",
            isTooLong: isTooLong
        )
    }
}
