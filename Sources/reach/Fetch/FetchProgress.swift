import Monitoring
import Screen

/// The progress of a fetch, and the line that shows it.
///
/// ```
/// waiting for example.com:443: refused  12s
/// ━━━━━━━━━━━────────────  45%  123 MB of 270 MB  12 MB/s  12s left
/// ```
struct FetchProgress: Sendable, Hashable {
    /// The current stage of a fetch.
    enum Stage: Sendable, Hashable {
        /// The host cannot be reached yet, for this reason.
        case waiting(for: String, because: String)
        /// An attempt has begun, and no response has arrived.
        case requesting
        /// The last attempt failed; the next one begins at this time.
        case pausing(until: Duration, because: String)
        /// A body is being received: the bytes so far, the length if known, and the start time.
        case receiving(Int64, of: Int64?, since: Duration)
    }

    /// The current stage.
    var stage = Stage.requesting
    /// The start of the stage, in program time.
    var since = Duration.zero

    /// Returns the line at a time, at most `columns` wide.
    func line(at now: Duration, columns: Int, isASCII: Bool) -> String {
        let text =
            switch stage {
            case .waiting(let place, let cause): "waiting for \(place): \(cause)  \((now - since).spanText)"
            case .requesting: "requesting  \((now - since).spanText)"
            case .pausing(let end, let cause): "\(cause); again in \(max(.zero, end - now).elapsedText)"
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
        // The rate of the first 500 ms is not meaningful.
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
        // The figures need at most 50 columns. Reserving them keeps the length of the bar constant.
        let width = min(30, columns - 50)
        guard width >= 10 else { return figures }
        return "\(bar(share, width: width, isASCII: isASCII)) \(figures)"
    }

    private static func bar(_ share: Double, width: Int, isASCII: Bool) -> String {
        let filled = Int(share * Double(width))
        let (full, empty) = isASCII ? ("#", "-") : ("━", "─")
        return String(repeating: full, count: filled) + String(repeating: empty, count: width - filled)
    }
}

extension Int64 {
    /// A number of bytes with up to three significant figures: `0 B`, `999 B`, `1.2 kB`, `45 MB`, `1.1 GB`.
    var bytesText: String {
        guard self >= 1_000 else { return "\(Swift.max(0, self)) B" }
        var rest = Double(self)
        for unit in ["kB", "MB", "GB", "TB", "PB"] {
            rest /= 1_000
            if rest < 9.95 {
                let tenths = Int((rest * 10).rounded())
                return "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            if rest < 999.5 { return "\(Int(rest.rounded())) \(unit)" }
        }
        return "\(Int(rest.rounded())) PB"
    }
}
