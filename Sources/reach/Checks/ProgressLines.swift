import ReachDashboard
import ReachMonitoring
import ReachReporting
import ReachScreen
import ReachSystem

/// The progress lines of `check` and `wait`: one for each pending target, erased at the end. Shown only on a terminal.
struct ProgressLines {
    /// The maximum number of lines. More would push other output off a small screen.
    static let maxCount = 10
    /// The maximum width of a name or URL. A longer one would push the rest off the line.
    private static let maxWidth = 32

    private let descriptor: Int32?
    private let ellipsis: Character
    /// The lines on the terminal now.
    private var shown: [String] = []

    /// Creates lines on standard error. Both standard error and standard output must be terminals, since a redirection of
    /// either should get no animation. `TERM` must name a terminal that can move the cursor up.
    init(isQuiet: Bool, environment: [String: String]) {
        let capabilities = TerminalCapabilities(ascii: false, noColor: false, environment: environment)
        ellipsis = capabilities.glyphs == .unicode ? "…" : "~"
        let isShown = !isQuiet && capabilities.hasCursorMovements
        descriptor = isShown ? StandardStreams.animatedDescriptor : nil
    }

    /// Replaces the lines on the terminal by the present ones of the targets.
    ///
    /// - Parameter redacted: Removes secrets.
    mutating func show(
        _ states: some Collection<TargetState>,
        at now: Duration,
        _ redacted: (String) -> String
    ) {
        guard let descriptor else { return }
        let size = StandardStreams.size(of: descriptor)
        let lines = Self.lines(states, at: now, fitting: size, ellipsis: ellipsis, redacted)
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

    /// Returns the lines for pending targets: elapsed time, name, URL and result of the newest probe.
    static func lines(
        _ states: some Collection<TargetState>,
        at now: Duration,
        fitting size: Size,
        ellipsis: Character,
        _ redacted: (String) -> String = { $0 }
    ) -> [String] {
        let count = max(1, min(maxCount, size.rows - 1))
        let visible = states.prefix(states.count <= count ? count : max(0, count - 1))
        let elapsed = now.spanText
        var lines = visible.map { state in
            let target = state.target
            let url = target.question.url
            let names = target.label == target.question.title ? [url] : [target.label, url]
            let result = state.health.isReachable ? state.health.rawValue : state.remark.map(redacted) ?? "probing"
            let cells = names.map { $0.printable.truncated(toColumns: maxWidth, ellipsis: ellipsis) }
            return ([elapsed] + cells + [result]).joined(separator: "  ")
        }
        if states.count > visible.count {
            lines.append("\(elapsed)  \(visible.isEmpty ? "" : "and ")\(states.count - visible.count) more")
        }
        // The last column stays empty, since some terminals wrap as soon as it is written.
        return lines.map { $0.printable.truncated(toColumns: max(0, size.columns - 1), ellipsis: ellipsis) }
    }
}
