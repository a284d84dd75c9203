extension Duration {
    /// A round trip as a person reads it, to at most three figures and never wider than six columns: `0.04ms`,
    /// `1.2ms`, `44ms`, `912ms`, `1.1s`, `12s`.
    public var roundTripText: String {
        let milliseconds = Swift.max(0, self / .milliseconds(1))
        return switch milliseconds {
        case 0: "0ms"
        case ..<0.0995: "\(decimal(.milliseconds(1), places: 2))ms"
        case ..<9.95: "\(decimal(.milliseconds(1), places: 1))ms"
        case ..<999.5: "\(decimal(.milliseconds(1), places: 0))ms"
        case ..<9_950: "\(decimal(.seconds(1), places: 1))s"
        default: "\(decimal(.seconds(1), places: 0))s"
        }
    }

    /// A span as a person reads it, in at most two units: `0s`, `12s`, `4m02s`, `2h14m`, `6d02h`.
    public var spanText: String {
        let seconds = Swift.max(0, components.seconds)
        let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
        if days > 0 { return "\(days)d\(Self.twoDigits(hours % 24))h" }
        if hours > 0 { return "\(hours)h\(Self.twoDigits(minutes % 60))m" }
        if minutes > 0 { return "\(minutes)m\(Self.twoDigits(seconds % 60))s" }
        return "\(seconds)s"
    }

    /// How long something took: tenths below ten seconds, then as ``spanText``.
    public var lapseText: String {
        self < .milliseconds(9_950) ? "\(decimal(.seconds(1), places: 1))s" : spanText
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}
