import Dashboard
import Monitoring
import Reporting
import Screen

/// A line for each target that is waited for, on a terminal and gone at the end. Where there is no terminal, there is
/// none.
struct LiveLines {
    /// More would push everything else off a small screen.
    static let most = 10
    /// A longer name or URL than this would push what follows off the line.
    private static let widest = 32

    private let descriptor: Int32?
    private let ellipsis: Character
    /// What stands on the terminal now.
    private var shown: [String] = []

    /// Lines on standard error. It and standard output must be terminals, since whoever leads one of them elsewhere wants
    /// no animation, and `TERM` must be of one that can go up a line.
    init(isQuiet: Bool, environment: [String: String]) {
        let appearance = Appearance(ascii: false, noColor: false, environment: environment)
        ellipsis = appearance.glyphs == .unicode ? "…" : "~"
        let isDumb = ["", "dumb"].contains(environment["TERM"] ?? "")
        descriptor = isQuiet || isDumb ? nil : StandardStreams.animated
    }

    /// Shows these lines in place of those that were shown before.
    mutating func show(_ standings: some Collection<Standing>, at now: Duration) {
        guard let descriptor else { return }
        let size = StandardStreams.size(of: descriptor)
        let lines = Self.lines(standings, at: now, fitting: size, ellipsis: ellipsis)
        guard lines != shown else { return }
        _ = writeAll(erasure + lines.map { $0 + "\n" }.joined(), to: descriptor)
        shown = lines
    }

    /// Takes them away.
    mutating func erase() {
        guard let descriptor, !shown.isEmpty else { return }
        _ = writeAll(erasure, to: descriptor)
        shown = []
    }

    /// Up to the first of the lines (CUU), to its beginning, and everything below cleared (ED), by ECMA-48.
    private var erasure: String {
        shown.isEmpty ? "" : "\u{1B}[\(shown.count)A\r\u{1B}[J"
    }

    /// The lines for targets that are waited for: for how long, whom, by which URL, what became of the newest probe.
    static func lines(_ standings: some Collection<Standing>, at now: Duration, fitting size: Size, ellipsis: Character)
        -> [String]
    {
        let room = max(1, min(most, size.rows - 1))
        let few = standings.prefix(standings.count <= room ? room : max(0, room - 1))
        let lapse = now.spanText
        var lines = few.map { standing in
            let target = standing.target
            let url = target.question.url
            let names = target.label == target.question.title ? [url] : [target.label, url]
            let word = standing.health.isReachable ? standing.health.rawValue : standing.remark ?? "asked"
            let cells = names.map { $0.printable.truncated(toColumns: widest, ellipsis: ellipsis) }
            return ([lapse] + cells + [word]).joined(separator: "  ")
        }
        if standings.count > few.count {
            lines.append("\(lapse)  \(few.isEmpty ? "" : "and ")\(standings.count - few.count) more")
        }
        // The last column stays empty: some terminals wrap as soon as it is taken.
        return lines.map { $0.printable.truncated(toColumns: max(0, size.columns - 1), ellipsis: ellipsis) }
    }
}
