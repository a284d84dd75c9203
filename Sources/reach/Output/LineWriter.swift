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
    private let buffer: Mutex<LineBuffer>
    /// The number of bytes that the writer has drained and not yet written.
    private let pending = Atomic<Int>(0)
    private let writer = DispatchQueue(label: "reach.line-writer")
    /// Removes expired corks, also while ``writer`` waits for a slow reader.
    private let timer = DispatchQueue(label: "reach.line-writer.timer")

    /// The maximum size of one `write`. POSIX guarantees at least 512 bytes; Linux and macOS have different values.
    private static let chunkSize = Int(PIPE_BUF)

    /// Creates a writer.
    ///
    /// - Parameter encoding: Returns a line as it is written, for example in ASCII.
    init(
        _ descriptor: Int32,
        buffer: LineBuffer = LineBuffer(),
        encoding: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.descriptor = descriptor
        self.encoding = encoding
        self.buffer = Mutex(buffer)
        (failures, failure) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Enqueues a line, or drops it if the buffer is full.
    func enqueue(_ line: String, as kind: LineBuffer.Kind = .event) {
        let line = encoding(line)
        if buffer.withLock({ $0.append(line, as: kind) }) { startWriter() }
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
            while let lines = buffer.withLock({ $0.drain() }) {
                if let code = output(lines) {
                    buffer.withLock { $0.close() }
                    failure.yield(code)
                }
                pending.store(0, ordering: .relaxed)
            }
        }
    }

    /// Writes lines; returns `errno` after an error.
    private func output(_ lines: [UInt8]) -> Int32? {
        pending.store(lines.count, ordering: .relaxed)
        var rest = lines[...]
        while !rest.isEmpty {
            let piece = Self.wholeLines(of: rest)
            rest = rest.dropFirst(piece.count)
            do throws(SystemError) {
                try writeAll(piece, to: descriptor) { pending.subtract($0, ordering: .relaxed) }
            } catch {
                return error.code
            }
        }
        return nil
    }

    /// Returns the whole lines that fit into one `write`; the first line alone if it is longer.
    private static func wholeLines(of lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard lines.count > chunkSize else { return lines }
        let newline = UInt8(ascii: "\n")
        let end = lines.prefix(chunkSize).lastIndex(of: newline) ?? lines.firstIndex(of: newline) ?? lines.endIndex - 1
        return lines[...end]
    }
}
