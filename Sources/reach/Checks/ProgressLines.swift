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

    private var lines: ErasableLines

    /// Creates lines on a terminal, unless quiet.
    init(isQuiet: Bool, environment: [String: String]) {
        lines = ErasableLines(isShown: !isQuiet, environment: environment)
    }

    /// Whether there is a terminal for the lines.
    var isShown: Bool { lines.isShown }

    /// Replaces the lines on the terminal by the present ones of the targets.
    ///
    /// - Parameter redacted: Removes secrets.
    mutating func show(
        _ states: some Collection<TargetState>,
        at now: Duration,
        _ redacted: (String) -> String
    ) {
        let ellipsis = lines.ellipsis
        lines.show { size in Self.lines(states, at: now, fitting: size, ellipsis: ellipsis, redacted) }
    }

    /// Erases the lines.
    mutating func erase() {
        lines.erase()
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
