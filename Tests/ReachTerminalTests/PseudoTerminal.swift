import ReachSystem

/// Both ends of a pseudoterminal: a test is the terminal, the code under test its program.
final class PseudoTerminal: @unchecked Sendable {  // a test types from another thread, and nothing else
    let path: String
    private var terminalEnd: Int32 = -1
    private var programEnd: Int32 = -1
    private var unread = ""

    init?(columns: UInt16 = 80, rows: UInt16 = 24) {
        var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&terminalEnd, &programEnd, nil, nil, &window) == 0, let name = ttyname(programEnd) else {
            return nil
        }
        path = String(cString: name)
    }

    deinit {
        if terminalEnd >= 0 { close(terminalEnd) }
        if programEnd >= 0 { close(programEnd) }
    }

    /// Everything that `stty -g` prints, and the rest of the structure.
    var modes: [UInt8] {
        var modes = termios()
        tcgetattr(programEnd, &modes)
        return withUnsafeBytes(of: &modes) { Array($0) }
    }

    /// Whether typed characters are echoed, read by lines, and make signals.
    var isCooked: Bool {
        var modes = termios()
        tcgetattr(programEnd, &modes)
        let flags = tcflag_t(ECHO) | tcflag_t(ICANON) | tcflag_t(ISIG)
        return modes.c_lflag & flags == flags
    }

    func setModes(_ change: (inout termios) -> Void) {
        var modes = termios()
        tcgetattr(programEnd, &modes)
        change(&modes)
        tcsetattr(programEnd, TCSANOW, &modes)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminalEnd, UInt(TIOCSWINSZ), &window)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(terminalEnd, bytes, bytes.count)
    }

    func hangUp() {
        close(programEnd)
        close(terminalEnd)
        (programEnd, terminalEnd) = (-1, -1)
    }

    /// Reads a line as the program would, or a shell in its place.
    func readLine() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = systemRead(programEnd, &buffer)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    /// Reads what the program writes, up to and with some text; everything that came if it does not come in five seconds.
    func read(through end: String) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let range = unread.firstRange(of: end) {
                defer { unread = String(unread[range.upperBound...]) }
                return String(unread[..<range.upperBound])
            }
            var polled = pollfd(fd: terminalEnd, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 5000) == 1 else { return unread }
            let count = systemRead(terminalEnd, &buffer)
            guard count > 0 else { return unread }
            unread += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    read(descriptor, &buffer, buffer.count)
}
