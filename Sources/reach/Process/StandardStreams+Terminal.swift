import LibC
import Screen

extension StandardStreams {
    /// Where lines may be shown and taken away again: standard error, if it and standard output are terminals.
    static var animated: Int32? {
        isTerminal && isatty(STDERR_FILENO) == 1 ? STDERR_FILENO : nil
    }

    /// The extent of a terminal; that of a classic one if it does not know.
    static func size(of descriptor: Int32) -> Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        // A device may claim more than any screen shows.
        return Size(columns: min(Int(window.ws_col), 1_000), rows: min(Int(window.ws_row), 500))
    }
}
