import Dispatch
import LibC
import Synchronization

/// Writes lines to a stream, and never makes the caller wait: a writer of its own does. While the reader is slower than the
/// lines come, they wait in memory, and where that has no more room they are dropped and counted.
///
/// Lines go out whole, several in one `write` of at most `PIPE_BUF` bytes, so that a pipe takes all of them or none: also
/// when the program ends in between, no line that short is cut (pipe(7)). Only a longer one may be, and only then.
final class Outlet: Sendable {
    /// What went wrong with the stream, as `errno` has it, once: `EPIPE` when nobody reads it any more.
    let endings: AsyncStream<Int32>
    private let ended: AsyncStream<Int32>.Continuation
    private let descriptor: Int32
    private let buffer: Mutex<LineBuffer>
    /// How many bytes the writer has taken and not written.
    private let pending = Atomic<Int>(0)
    private let writer = DispatchQueue(label: "reach.outlet")

    /// What POSIX promises of any pipe is 512; Linux and macOS differ.
    private static let chunk = Int(PIPE_BUF)

    init(_ descriptor: Int32, buffer: LineBuffer = LineBuffer()) {
        self.descriptor = descriptor
        self.buffer = Mutex(buffer)
        (endings, ended) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Has a line written, or drops it where too many wait.
    func put(_ line: String, as rank: LineBuffer.Rank = .event) {
        if buffer.withLock({ $0.put(line, as: rank) }) { start() }
    }

    /// How many lines were dropped and not told of yet; nil when none were, or when that was told a short while before `now`.
    func takeLosses(at now: Duration? = nil) -> LineBuffer.Losses? {
        buffer.withLock { $0.takeLosses(at: now) }
    }

    /// Tells by ``endings`` when the reader of a pipe goes, even while there is nothing to write: a shell waits for all
    /// programs of a pipeline.
    func watchReader() {
        // What cannot be sought in and is no terminal is a pipe or a socket.
        guard lseek(descriptor, 0, SEEK_CUR) < 0, errno == ESPIPE, isatty(descriptor) == 0 else { return }
        DispatchQueue(label: "reach.outlet.reader").async { [descriptor, ended] in
            // Errors are told of unasked (poll(2)).
            var end = pollfd(fd: descriptor, events: 0, revents: 0)
            while poll(&end, 1, -1) < 0 && errno == EINTR {}
            ended.yield(EPIPE)
        }
    }

    /// Waits until all is written, as long as something of it goes out, and five seconds at most.
    ///
    /// - Returns: How many bytes are left.
    func flush() async -> Int {
        var left = remaining
        for _ in 0..<25 where left > 0 {
            let (done, continuation) = AsyncStream.makeStream(of: Void.self)
            writer.async { continuation.finish() }
            _ = await within(.milliseconds(200)) { for await _ in done {} }
            guard remaining < left else { return remaining }
            left = remaining
        }
        return remaining
    }

    private var remaining: Int {
        buffer.withLock(\.count) + pending.load(ordering: .relaxed)
    }

    private func start() {
        writer.async { [self] in
            while let lines = buffer.withLock({ $0.take() }) {
                if let code = write(lines) {
                    buffer.withLock { $0.close() }
                    ended.yield(code)
                }
                pending.store(0, ordering: .relaxed)
            }
        }
    }

    /// Writes lines; returns `errno` where that does not work.
    private func write(_ lines: [UInt8]) -> Int32? {
        pending.store(lines.count, ordering: .relaxed)
        var rest = lines[...]
        while !rest.isEmpty {
            var piece = Self.wholeLines(of: rest)
            rest = rest.dropFirst(piece.count)
            while !piece.isEmpty {
                let count = piece.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    piece = piece.dropFirst(count)
                    pending.subtract(count, ordering: .relaxed)
                } else if errno == EAGAIN {
                    // Somebody else has made the stream so: it is open in more programs than this one.
                    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&room, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
        }
        return nil
    }

    /// As many whole lines as one `write` may have; the first one if it is longer than that.
    private static func wholeLines(of lines: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard lines.count > chunk else { return lines }
        let newline = UInt8(ascii: "\n")
        let end = lines.prefix(chunk).lastIndex(of: newline) ?? lines.firstIndex(of: newline) ?? lines.endIndex - 1
        return lines[...end]
    }
}

/// `write`, by a name that the type's own function of that name does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
