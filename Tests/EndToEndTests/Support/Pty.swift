import Foundation
import Synchronization

/// A program on a terminal of its own, and every byte that it has written there, with its time.
final class Pty: Sendable {
    /// Bytes that came in one go.
    struct Chunk: Sendable {
        let time: ContinuousClock.Instant
        let bytes: [UInt8]
    }

    let child: Child
    let started = ContinuousClock.now
    private let primary: Int32
    private let received = Mutex<[Chunk]>([])
    private let isClosing = Atomic(false)
    /// How many bytes the terminal takes in a second; no limit when zero.
    private let rate: Atomic<Int>

    /// Starts a program on a terminal of this size.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: how many bytes the terminal takes, until it is ``hurry()``ed.
    ///   - environment: what the program finds in its environment besides what all do.
    init(
        _ words: [String],
        in scratch: Scratch,
        columns: Int = 120,
        rows: Int = 36,
        bytesPerSecond: Int = 0,
        environment: [String: String] = [:]
    ) throws {
        rate = Atomic(bytesPerSecond)
        var (primary, secondary): (Int32, Int32) = (-1, -1)
        var path = [CChar](repeating: 0, count: 128)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&primary, &secondary, &path, nil, &size) == 0 else { throw Missing(description: "no terminal") }
        _ = fcntl(primary, F_SETFD, FD_CLOEXEC)
        defer { close(secondary) }
        self.primary = primary
        let name = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        child = try Child(words, in: scratch.path, environment: environment, streams: .terminal(name))
        Thread.detachNewThread { [weak self, primary] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while self?.isClosing.load(ordering: .relaxed) == false {
                var polled = pollfd(fd: primary, events: Int16(POLLIN), revents: 0)
                guard poll(&polled, 1, 20) != 0 else { continue }
                let rate = self?.rate.load(ordering: .relaxed) ?? 0
                let count = read(primary, &buffer, rate == 0 ? buffer.count : max(1, rate / 10))
                guard count > 0 else { break }
                if rate > 0 { usleep(100_000) }
                let chunk = Chunk(time: .now, bytes: Array(buffer[..<count]))
                self?.received.withLock { $0.append(chunk) }
            }
            close(primary)
        }
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
    }

    /// Has the terminal take whatever comes from now on.
    func hurry() {
        rate.store(0, ordering: .relaxed)
    }

    /// What has come, piece by piece.
    var chunks: [Chunk] { received.withLock(\.self) }
    /// All bytes that have come.
    var bytes: [UInt8] { chunks.flatMap(\.bytes) }
    /// All bytes that have come, as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The same without the one control string that the program sends of its own: what colour is the background?
    var drawn: String { text.replacing("\u{1B}]11;?\u{7}", with: "") }

    /// Types bytes.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(primary, bytes, bytes.count)
    }

    /// Waits until the program has written a text in one go.
    func wait(for text: String, within limit: Duration = .seconds(8)) async throws {
        try await eventually("\"\(text)\"", within: limit, context: { self.text }) { self.text.contains(text) }
    }
}
