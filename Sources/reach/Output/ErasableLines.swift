import ReachDashboard
import ReachScreen
import ReachSystem

/// Lines at the end of a terminal that are replaced in place, and erased at the end.
struct ErasableLines {
    private let descriptor: Int32?
    /// Stands for what does not fit.
    let ellipsis: Character
    /// The lines on the terminal now.
    private var shown: [String] = []

    /// Creates lines on standard error. Both standard error and standard output must be terminals, since a redirection of
    /// either should get no animation. `TERM` must name a terminal that can move the cursor up.
    init(isShown: Bool, environment: [String: String]) {
        let capabilities = TerminalCapabilities(ascii: false, noColor: false, environment: environment)
        ellipsis = capabilities.glyphs == .unicode ? "…" : "~"
        descriptor = isShown && capabilities.hasCursorMovements ? StandardStreams.animatedDescriptor : nil
    }

    /// Whether there is a terminal for the lines.
    var isShown: Bool { descriptor != nil }

    /// Replaces the lines.
    ///
    /// - Parameter lines: Returns lines that fit in the size of the terminal, with one row and one column less: some
    ///   terminals wrap as soon as the last column is written.
    mutating func show(_ lines: (Size) -> [String]) {
        guard let descriptor else { return }
        let lines = lines(StandardStreams.size(of: descriptor))
        guard lines != shown else { return }
        try? writeAll(StandardStreams.encoded(erasure + lines.map { $0 + "\n" }.joined()), to: descriptor)
        shown = lines
    }

    /// Erases the lines.
    mutating func erase() {
        guard let descriptor, !shown.isEmpty else { return }
        try? writeAll(erasure, to: descriptor)
        shown = []
    }

    /// The ECMA-48 sequence that moves the cursor up to the first line (CUU) and its start, and clears everything below (ED).
    private var erasure: String {
        shown.isEmpty ? "" : "\u{1B}[\(shown.count)A\r\u{1B}[J"
    }
}
