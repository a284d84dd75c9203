import Dispatch
import ReachSystem
import Synchronization

/// Writes lines to a stream on a queue of its own, so that the caller never blocks. Lines for a slow reader wait in a
/// buffer; when it is full, further lines are dropped and counted.
///
/// Each `write` has whole lines of at most `PIPE_BUF` bytes together, which a pipe accepts completely or not at all
/// (pipe(7)). So no line of up to `PIPE_BUF` bytes is cut, even if the program ends during a write. A longer line may be
/// cut then.
final class LineWriter: Sendable {
    /// Yields `errno` once when the stream fails: `EPIPE` when the reader of a pipe has exited.
    let failures: AsyncStream<Int32>
    private let failure: AsyncStream<Int32>.Continuation
    private let descriptor: Int32
    private let encoding: @Sendable (String) -> String
    private let onError: (@Sendable (SystemError) -> Void)?
    private let buffer: Mutex<LineBuffer>
    /// Whether the last write failed in the middle of a line, for example since the disk was full.
    private let endsInLine = Atomic<Bool>(false)
    /// The number of bytes that the writer has drained and not yet written.
    private let pending = Atomic<Int>(0)
    private let writer = DispatchQueue(label: "reach.line-writer")
    /// Removes expired corks, also while ``writer`` waits for a slow reader.
    private let timer = DispatchQueue(label: "reach.line-writer.timer")

    /// The maximum size of one `write`. POSIX guarantees at least 512 bytes; Linux and macOS have different values.
    private static let chunkSize = Int(PIPE_BUF)

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - encoding: Returns a line as it is written, for example in ASCII.
    ///   - onError: Called on the queue after each failed write, whose lines are dropped; later lines are written again. By
    ///     default, the first error ends the writer and is reported on ``failures``.
    init(
        _ descriptor: Int32,
        buffer: LineBuffer = LineBuffer(),
        encoding: @escaping @Sendable (String) -> String = { $0 },
        onError: (@Sendable (SystemError) -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.encoding = encoding
        self.onError = onError
        self.buffer = Mutex(buffer)
        (failures, failure) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Enqueues a line, or drops it if the buffer is full.
    func enqueue(_ line: String, as kind: LineBuffer.Kind = .event) {
        let line = encoding(line)
        if buffer.withLock({ $0.append(line, as: kind) }) { startWriter() }
    }

    /// Performs an operation on the writer's queue, between two writes.
    func perform(_ operation: @escaping @Sendable () -> Void) {
        writer.async(execute: operation)
    }

    /// Writes no lines until ``uncork(_:)``, for a second at most.
    ///
    /// - Returns: The number of the cork.
    func cork() -> Int {
        let cork = buffer.withLock { $0.cork() }
        timer.asyncAfter(deadline: .now() + .seconds(1)) { [self] in uncork(cork, isExpired: true) }
        return cork
    }

    /// Removes a cork.
    func uncork(_ cork: Int) {
        uncork(cork, isExpired: false)
    }

    private func uncork(_ cork: Int, isExpired: Bool) {
        if buffer.withLock({ $0.uncork(cork, isExpired: isExpired) }) { startWriter() }
    }

    /// Returns and resets the numbers of dropped lines; nil if there are none, or if the last report was less than ten seconds
    /// before `now`.
    func nextDropReport(at now: Duration? = nil) -> LineBuffer.DropCounts? {
        buffer.withLock { $0.nextDropReport(at: now) }
    }

    /// Reports on ``failures`` when the reader of a pipe exits, even while there is nothing to write: a shell waits for all
    /// programs of a pipeline.
    func watchReader() {
        // A stream that is not seekable and not a terminal is a pipe or a socket.
        guard lseek(descriptor, 0, SEEK_CUR) < 0, errno == ESPIPE, isatty(descriptor) == 0 else { return }
        DispatchQueue(label: "reach.line-writer.reader").async { [descriptor, failure] in
            // poll(2) reports errors without any requested events.
            var end = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&end, 1, -1) < 0 && errno == EINTR {}
            failure.yield(EPIPE)
        }
    }

    /// Waits until all lines are written, while there is progress, and for five seconds at most.
    ///
    /// - Returns: The number of bytes that are not written.
    func flush() async -> Int {
        var previous = remaining
        for _ in 0..<25 where previous > 0 {
            let (done, continuation) = AsyncStream.makeStream(of: Void.self)
            writer.async { continuation.finish() }
            _ = await withTimeout(.milliseconds(200)) { for await _ in done {} }
            guard remaining < previous else { return remaining }
            previous = remaining
        }
        return remaining
    }

    private var remaining: Int {
        buffer.withLock(\.count) + pending.load(ordering: .relaxed)
    }

    private func startWriter() {
        writer.async { [self] in
            while let lines = drain() {
                do throws(SystemError) {
                    try output(lines)
                } catch {
                    if let onError {
                        onError(error)
                    } else {
                        buffer.withLock { $0.close() }
                        failure.yield(error.code)
                    }
                }
            }
        }
    }

    private func drain() -> [UInt8]? {
        buffer.withLock { buffer in
            let lines = buffer.drain()
            // Within the lock, so that ``remaining`` always counts these lines.
            pending.store(lines?.count ?? 0, ordering: .relaxed)
            return lines
        }
    }

    /// Writes lines. They begin on a new line if the last write failed in the middle of one.
    private func output(_ lines: [UInt8]) throws(SystemError) {
        var rest = (endsInLine.load(ordering: .relaxed) ? [UInt8(ascii: "\n")] + lines : lines)[...]
        while !rest.isEmpty {
            let piece = Self.wholeLines(of: rest)
            rest = rest.dropFirst(piece.count)
            var written = piece.startIndex
            do throws(SystemError) {
                try writeAll(piece, to: descriptor) { count in
                    written += count
                    pending.subtract(count, ordering: .relaxed)
                }
                endsInLine.store(false, ordering: .relaxed)
            } catch {
                if written > piece.startIndex {
                    endsInLine.store(piece[written - 1] != UInt8(ascii: "\n"), ordering: .relaxed)
                }
                throw error
            }
        }
    }

    /// Returns the whole lines that fit into one `write`; the first line alone if it is longer.
    private static func wholeLines(of lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard lines.count > chunkSize else { return lines }
        let newline = UInt8(ascii: "\n")
        let end = lines.prefix(chunkSize).lastIndex(of: newline) ?? lines.firstIndex(of: newline) ?? lines.endIndex - 1
        return lines[...end]
    }
}
