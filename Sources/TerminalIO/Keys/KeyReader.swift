import LibC
import Screen

/// Reads a terminal until it is told to stop or the terminal goes away. It blocks: it is given a thread.
struct KeyReader {
    /// An escape without more bytes for so long is the key. Sequences come in one piece, or nearly so; more is felt.
    private static let brief: Int32 = 25
    /// A paste or a character that stops for so long has lost its end.
    private static let long: Int32 = 1000

    let device: Device
    let stopping: WakePipe

    /// Reads keys.
    ///
    /// - Parameters:
    ///   - give: takes each key as soon as it is known.
    ///   - tell: takes the terminal's background whenever the terminal tells it.
    func run(_ give: (Key) -> Void, background tell: (RGB) -> Void) {
        var parser = KeyParser()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var polled = [
                pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopping.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&polled, nfds_t(polled.count), Self.milliseconds(parser.patience))
            if ready < 0 {
                guard errno == EINTR || errno == EAGAIN else { return }
                continue
            }
            if polled[1].revents != 0 { return }
            if ready == 0 {
                parser.flush().forEach(give)
                continue
            }
            let count = read(device.descriptor, &buffer, buffer.count)
            if count > 0 {
                parser.parse(buffer[..<count]).forEach(give)
                if let color = parser.takeBackground() { tell(color) }
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                return
            }
        }
    }

    private static func milliseconds(_ patience: KeyParser.Patience) -> Int32 {
        switch patience {
        case .forever: -1
        case .briefly: brief
        case .long: long
        }
    }
}
