import Monitoring
import Screen

/// How far a fetch is, and the line that shows it.
///
/// ```
/// waiting for example.com:443: connection refused  12s
/// ━━━━━━━━━━━────────────  45%  123 MB of 270 MB  12 MB/s  12s left
/// ```
struct FetchProgress: Sendable, Hashable {
    /// What is going on.
    enum Stage: Sendable, Hashable {
        /// The host does not answer yet, for this reason.
        case waiting(for: String, because: String)
        /// The request is out, and nothing has come.
        case asking
        /// The last try failed; the next one comes at this time.
        case pausing(until: Duration, because: String)
        /// A body comes: so much of so many bytes, since this time.
        case receiving(Int64, of: Int64?, since: Duration)
    }

    /// What is going on.
    var stage = Stage.asking
    /// Since when, by the program's time.
    var since = Duration.zero

    /// The line at a time, no wider than so many columns.
    func line(at now: Duration, columns: Int, isASCII: Bool) -> String {
        let text =
            switch stage {
            case .waiting(let place, let cause): "waiting for \(place): \(cause)  \((now - since).spanText)"
            case .asking: "asking  \((now - since).spanText)"
            case .pausing(let end, let cause): "\(cause); again in \(max(.zero, end - now).lapseText)"
            case .receiving(let count, let length, let start):
                Self.line(count, of: length, after: now - start, columns: columns, isASCII: isASCII)
            }
        return text.displayWidth > columns ? text.truncated(toColumns: columns) : text
    }

    private static func line(
        _ count: Int64,
        of length: Int64?,
        after lapse: Duration,
        columns: Int,
        isASCII: Bool
    ) -> String {
        // The first moments say little of the rate.
        let rate = lapse > .milliseconds(500) ? Double(count) / lapse.inSeconds : nil
        let speed = rate.map { "  \(Int64($0).bytesText)/s" } ?? ""
        guard let length, length > 0 else { return "\(count.bytesText)\(speed)" }
        let share = min(1, Double(count) / Double(length))
        let percent = "\(Int(share * 100))%"
        var figures = "\(String(repeating: " ", count: 4 - percent.count))\(percent)"
        figures += "  \(count.bytesText) of \(length.bytesText)\(speed)"
        if let rate, rate > 0, count < length {
            figures += "  \(Duration.seconds(Double(length - count) / rate).spanText) left"
        }
        // What the figures need at most is left to them, so that the bar keeps its length.
        let room = min(30, columns - 50)
        guard room >= 10 else { return figures }
        return "\(bar(share, width: room, isASCII: isASCII)) \(figures)"
    }

    private static func bar(_ share: Double, width: Int, isASCII: Bool) -> String {
        let filled = Int(share * Double(width))
        let (full, empty) = isASCII ? ("#", "-") : ("━", "─")
        return String(repeating: full, count: filled) + String(repeating: empty, count: width - filled)
    }
}
