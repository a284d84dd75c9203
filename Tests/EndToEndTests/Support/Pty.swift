import Foundation
import Synchronization

/// A program on a pseudo-terminal, and every byte that it has written, with the time.
final class Pty: Sendable {
    /// The bytes of one read.
    struct Chunk: Sendable {
        let time: ContinuousClock.Instant
        let bytes: [UInt8]
    }

    /// The terminal's end of the pair, open as long as the reading thread or a test can use it: a closed one is soon
    /// another file of another test.
    private final class Primary: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        deinit {
            close(descriptor)
        }
    }

    let child: Child
    let started = ContinuousClock.now
    private let primary: Primary
    private let received = Mutex<[Chunk]>([])
    private let isClosing = Atomic(false)
    /// How often there was nothing to read, and whether the program's side is closed.
    private let pauses = Atomic(0)
    private let hasEnded = Atomic(false)
    /// The bytes that the terminal reads per second; zero is no limit.
    private let rate: Atomic<Int>

    /// Starts a program on a terminal of the given size.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: the bytes that the terminal reads per second, until ``removeRateLimit()``.
    ///   - environment: variables besides those of ``Program/environment(home:)``.
    init(
        _ words: [String],
        in scratch: Scratch,
        columns: Int = 120,
        rows: Int = 36,
        bytesPerSecond: Int = 0,
        environment: [String: String] = [:]
    ) throws {
        rate = Atomic(bytesPerSecond)
        var (descriptor, secondary): (Int32, Int32) = (-1, -1)
        var path = [CChar](repeating: 0, count: 128)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&descriptor, &secondary, &path, nil, &size) == 0 else {
            throw TestFailure(description: "no terminal")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        defer { close(secondary) }
        primary = Primary(descriptor)
        let name = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        child = try Child(words, in: scratch.path, environment: environment, streams: .terminal(name))
        Thread.detachNewThread { [weak self, primary] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while self?.isClosing.load(ordering: .relaxed) == false {
                var polled = pollfd(fd: primary.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&polled, 1, 20) != 0 else {
                    self?.pauses.add(1, ordering: .relaxed)
                    continue
                }
                let rate = self?.rate.load(ordering: .relaxed) ?? 0
                let count = read(primary.descriptor, &buffer, rate == 0 ? buffer.count : max(1, rate / 10))
                guard count > 0 else { break }
                if rate > 0 { usleep(100_000) }
                let chunk = Chunk(time: .now, bytes: Array(buffer[..<count]))
                self?.received.withLock { $0.append(chunk) }
            }
            self?.hasEnded.store(true, ordering: .relaxed)
        }
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
    }

    /// Reads without a rate limit from now on.
    func removeRateLimit() {
        rate.store(0, ordering: .relaxed)
    }

    /// Waits until the program has ended and everything it wrote is read, and returns its exit status.
    func end(within limit: Duration = .seconds(8)) async throws -> Int32 {
        let status = try await child.end(within: limit)
        let before = pauses.load(ordering: .relaxed)
        try await eventually("the end of the output", within: limit) {
            hasEnded.load(ordering: .relaxed) || pauses.load(ordering: .relaxed) > before + 1
        }
        return status
    }

    /// The received bytes, read by read.
    var chunks: [Chunk] { received.withLock(\.self) }
    /// All received bytes.
    var bytes: [UInt8] { chunks.flatMap(\.bytes) }
    /// All received bytes, as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text without the program's query for the background colour (OSC 11, DA1), and without its titles of the window (OSC 2).
    var drawn: String {
        let title = /\u{1B}\[2[23];2t|\u{1B}\]2;(?:(?:\d+ (?:down|slow) – )?reach)?\u{7}/
        return text.replacing("\u{1B}]11;?\u{7}\u{1B}[c", with: "")
            .replacing(title.matchingSemantics(.unicodeScalar), with: "")
    }

    /// Types bytes.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(primary.descriptor, bytes, bytes.count)
    }

    /// Waits until the output contains a text.
    func wait(for text: String, within limit: Duration = .seconds(8)) async throws {
        let wanted = Data(text.utf8)
        try await eventually("\"\(text)\"", within: limit, context: { self.text }) {
            Data(bytes).range(of: wanted) != nil
        }
    }
}

/// A frame as the program sent it: the whole screen or the changes since the last frame.
struct SentFrame {
    /// The arrival of the first byte.
    let time: ContinuousClock.Instant
    /// The size in bytes, including the codes that begin and end the update.
    let size: Int
}

extension Pty {
    /// The synchronized updates that were received, in order.
    var frames: [SentFrame] {
        let begin = Array("\u{1B}[?2026h".utf8)
        let end = Array("\u{1B}[?2026l".utf8)
        var frames: [SentFrame] = []
        var open: (time: ContinuousClock.Instant, offset: Int)?
        var recent: [UInt8] = []
        var offset = 0
        for chunk in chunks {
            for byte in chunk.bytes {
                recent.append(byte)
                if recent.count > begin.count { recent.removeFirst() }
                offset += 1
                if recent == begin {
                    open = (chunk.time, offset - begin.count)
                } else if recent == end, let frame = open {
                    frames.append(SentFrame(time: frame.time, size: offset - frame.offset))
                    open = nil
                }
            }
        }
        return frames
    }
}
