import LibC
import Screen

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
                // The input is that of the shell. The process stops in a moment.
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
