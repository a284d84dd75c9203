import ReachScreen
import ReachSystem
import Synchronization

/// Reads keys from a terminal until it is stopped or the terminal is gone. It blocks and needs a thread of its own.
struct KeyReader {
    /// Milliseconds after which the rest of a paste or of a character is considered lost.
    private static let long: Int32 = 1000

    let device: Device
    let stopping: WakePipe
    /// How long to wait for the rest of a sequence: until then, an escape may be its beginning, and an unfinished answer may
    /// have its end. See ``Terminal/defaultEscapeDelay``.
    let escapeDelay: Duration

    /// Reads keys.
    ///
    /// - Parameters:
    ///   - onKey: called with each key as soon as it is complete.
    ///   - onBackground: called with each background that the terminal reports.
    ///   - onAttributes: called each time the terminal reports its attributes.
    func run(_ onKey: (Key) -> Void, background onBackground: (RGB) -> Void, attributes onAttributes: () -> Void) {
        var parser = KeyParser()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var polled = [
                pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopping.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&polled, nfds_t(polled.count), milliseconds(parser.timeout))
            if ready < 0 {
                guard errno == EINTR || errno == EAGAIN else { return }
                continue
            }
            if polled[1].revents != 0 { return }
            if ready == 0 {
                parser.flush().forEach(onKey)
                continue
            }
            let count = read(device.descriptor, &buffer, buffer.count)
            if count > 0 {
                parser.parse(buffer[..<count]).forEach(onKey)
                if let color = parser.takeBackground() { onBackground(color) }
                if parser.takeAttributes() { onAttributes() }
            } else if count < 0, errno == EIO, device.isInBackground {
                // The input belongs to the shell. The process stops in a moment.
                poll(nil, 0, 20)
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                return
            }
        }
    }

    private func milliseconds(_ timeout: KeyParser.EscapeTimeout) -> Int32 {
        switch timeout {
        case .none: -1
        case .short: Int32(escapeDelay / .milliseconds(1))
        case .long: Self.long
        }
    }
}

/// The query for the background of the terminal, and whether an answer may still come.
final class BackgroundQuery: Sendable {
    /// The query (xterm's control sequences, OSC 11), and one for the attributes of the terminal (DA1). Terminals answer in
    /// order, and all of them answer the second: after that, no answer to the first will come.
    static let code = "\u{1B}]11;?\u{7}\u{1B}[c"

    private let open = Mutex(OpenQuery())

    /// Records that the query is sent.
    func markSent() {
        open.withLock { $0.send(at: .now) }
    }

    /// Records that the terminal reported its background.
    ///
    /// - Returns: Whether that was awaited.
    func receiveBackground() -> Bool {
        open.withLock { $0.receiveBackground(at: .now) }
    }

    /// Records that the terminal reported its attributes.
    func receiveAttributes() {
        open.withLock { $0.receiveAttributes() }
    }

    /// Waits for an outstanding answer, at most half a second, before the terminal is restored: the shell would read it as
    /// input.
    func waitForAnswer() {
        let begin = ContinuousClock.now
        while begin.duration(to: .now) < .milliseconds(500), open.withLock({ $0.isOpen(at: .now) }) { poll(nil, 0, 2) }
    }
}

/// Which answers to a query are outstanding.
struct OpenQuery: Sendable {
    /// How long the terminal may take to answer at all. One that is silent for longer does not answer.
    static let longest = Duration.seconds(2)
    /// How long after the first answer the second one may come. They are sent together.
    static let longestGap = Duration.milliseconds(100)

    /// The time until which the next answer may come; nil if none is awaited.
    private var deadline: ContinuousClock.Instant?
    private var awaitsBackground = false

    /// Whether an answer may still come.
    func isOpen(at now: ContinuousClock.Instant) -> Bool {
        deadline.map { now < $0 } ?? false
    }

    mutating func send(at now: ContinuousClock.Instant) {
        deadline = now + Self.longest
        awaitsBackground = true
    }

    /// Returns whether the background was awaited.
    mutating func receiveBackground(at now: ContinuousClock.Instant) -> Bool {
        guard awaitsBackground else { return false }
        awaitsBackground = false
        deadline = now + Self.longestGap
        return true
    }

    mutating func receiveAttributes() {
        deadline = nil
    }
}
