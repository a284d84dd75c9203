import ReachBasics

extension Duration {
    /// A round trip for display, to at most three figures and never wider than five columns: `4µs`, `912µs`, `1.2ms`,
    /// `44ms`, `912ms`, `1.1s`, `12s`. Only zero is `0ms`; less than half a microsecond is `<1µs`.
    public var roundTripText: String {
        let milliseconds = Swift.max(0, self / .milliseconds(1))
        return switch milliseconds {
        case 0: "0ms"
        case ..<0.0005: "<1µs"
        case ..<0.9995: "\(decimal(.microseconds(1), places: 0))µs"
        case ..<9.95: "\(decimal(.milliseconds(1), places: 1))ms"
        case ..<999.5: "\(decimal(.milliseconds(1), places: 0))ms"
        case ..<9_950: "\(decimal(.seconds(1), places: 1))s"
        default: "\(decimal(.seconds(1), places: 0))s"
        }
    }

    /// A span for display, in at most two units: `0s`, `12s`, `4m02s`, `2h14m`, `6d02h`.
    public var spanText: String {
        let seconds = wholeSeconds
        let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
        if days > 0 { return "\(days)d\(Self.twoDigits(hours % 24))h" }
        if hours > 0 { return "\(hours)h\(Self.twoDigits(minutes % 60))m" }
        if minutes > 0 { return "\(minutes)m\(Self.twoDigits(seconds % 60))s" }
        return "\(seconds)s"
    }

    /// An elapsed time for display: with tenths below ten seconds, otherwise the same as ``spanText``. Less than the first
    /// tenth is shown like a round trip: `40ms`.
    public var elapsedText: String {
        if self > .zero, self < .milliseconds(50) { return roundTripText }
        return self < .milliseconds(9_950) ? "\(decimal(.seconds(1), places: 1))s" : spanText
    }

    /// The length of an outage or of a health that has ended, for display: the same as ``spanText``, but with tenths
    /// below one second.
    public var outageText: String {
        self > .zero && self < .seconds(1) ? elapsedText : spanText
    }

    /// A limit of the command line for display: `600ms`, `1.5s`, `2m`.
    package var limitText: String {
        self > .seconds(1) && self < .seconds(10) && components.attoseconds != 0 ? elapsedText : settingsText
    }

    /// A round span after the word `last`, for display: `minute`, `5 minutes`, `hour`, `90 seconds`.
    public var lastSpanText: String {
        let seconds = wholeSeconds
        let units: [(name: String, seconds: Int64)] = [
            ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
        ]
        let unit = units.first { seconds >= $0.seconds && seconds % $0.seconds == 0 } ?? units[3]
        let count = seconds / unit.seconds
        return count == 1 ? unit.name : "\(count) \(unit.name)s"
    }

    /// The whole seconds of a span; zero for a negative one.
    private var wholeSeconds: Int64 { Swift.max(0, nanoseconds / 1_000_000_000) }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}

extension Duration {
    /// Whole nanoseconds, rounded toward zero; saturates after 292 years.
    public var nanoseconds: Int64 {
        // One division of 128 bits; `components` takes two.
        Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// The duration in seconds.
    public var inSeconds: Double {
        self / .seconds(1)
    }

    /// The duration in `unit`s, with a fixed number of decimal places, rounded half up: `0.812`, for machines.
    /// Saturates at the limits of 64 bits.
    public func decimal(_ unit: Duration, places: Int) -> String {
        let factor = (0..<places).reduce(Int64(1)) { product, _ in product * 10 }
        let value = (self / unit * Double(factor)).rounded()
        let scaled = Int64(exactly: value) ?? (value < 0 ? .min : .max)
        guard places > 0 else { return String(scaled) }
        let fraction = String(scaled.magnitude % UInt64(factor))
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / UInt64(factor)).\(zeros)\(fraction)"
    }
}

extension Duration {
    /// The duration in the settings' syntax, which ``init(text:)`` reads: `250ms`, `5s`, `1h30m`, `1s500ms`. Fractions
    /// of a microsecond are dropped.
    public var settingsText: String {
        let units: [(name: String, microseconds: Int64)] = [
            ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1),
        ]
        var rest = Swift.max(0, nanoseconds / 1_000)
        var text = ""
        for unit in units where rest >= unit.microseconds {
            text += "\(rest / unit.microseconds)\(unit.name)"
            rest %= unit.microseconds
        }
        return text.isEmpty ? "0s" : text
    }
}

extension Duration {
    /// Parses a duration of the settings or the command line: `"250ms"`, `"5s"`, `"1.5s"`, `"2m"`, `"1h"`, `"3d"`, or
    /// several in descending units, `"1h30m"`. Microseconds are `"us"` or, as on the screen, `"µs"`. Returns nil for any
    /// other text, and for a bare number, whose unit is unknown.
    public init?(text: String) {
        let units: [(name: String, length: Duration)] = [
            ("d", .seconds(86_400)), ("h", .seconds(3_600)), ("m", .seconds(60)), ("s", .seconds(1)),
            ("ms", .milliseconds(1)), ("us", .microseconds(1)), ("µs", .microseconds(1)),
        ]
        var rest = text[...]
        var sum = Duration.zero
        var smallest: Duration?
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest[number.endIndex...]
            let name = rest.prefix { $0.isLetter }
            rest = rest[name.endIndex...]
            guard number.count <= 12, number.first != ".", number.last != ".", let count = Double(number),
                let unit = units.first(where: { $0.name == name })?.length,
                smallest.map({ unit < $0 }) ?? true
            else { return nil }
            // Products with fractions are not exact.
            sum += Int(number).map { unit * $0 } ?? unit * count
            smallest = unit
        } while !rest.isEmpty
        guard sum <= .seconds(100 * 365 * 86_400) else { return nil }
        self = sum
    }
}

extension String {
    /// The duration that an invalid text probably means, in the notation of the settings: `500ms` for `500 MS`, `5m` for
    /// `5 minutes`, `1h30m` for `1h 30m`. Nil if the text is valid, or means no duration.
    public var nearestDuration: String? {
        var rest = lowercased().filter { !$0.isWhitespace }[...]
        var text = ""
        repeat {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
            rest = rest[number.endIndex...]
            let name = rest.prefix { $0.isLetter }
            rest = rest[name.endIndex...]
            guard !number.isEmpty, let unit = Self.units.first(where: { $0.names.contains(String(name)) }) else {
                return nil
            }
            text += number.replacing(",", with: ".") + unit.unit
        } while !rest.isEmpty
        return text != self && Duration(text: text) != nil ? text : nil
    }

    /// Other names of the units.
    private static let units: [(unit: String, names: Set<String>)] = [
        ("d", ["d", "day", "days"]),
        ("h", ["h", "hr", "hrs", "hour", "hours"]),
        ("m", ["m", "min", "mins", "minute", "minutes"]),
        ("s", ["s", "sec", "secs", "second", "seconds"]),
        ("ms", ["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"]),
        // Micro is U+00B5 or, in lower case, U+03BC.
        ("us", ["us", "µs", "μs", "usec", "usecs", "micros", "microsecond", "microseconds"]),
    ]

    /// The problem with this invalid duration, and the likely fix; nil if there is none.
    public var durationProblem: String? {
        let texts = durationsWithUnit(in: .zero...(.seconds(365 * 86_400)))
        guard texts.isEmpty else { return "\"\(self)\" has no unit – did you mean \(texts.joined(separator: " or "))?" }
        return nearestDuration.map { "invalid duration \"\(self)\" – did you mean \($0)?" }
    }

    /// The durations that a number without a unit may mean: seconds, or milliseconds if there are many. Empty if the text is
    /// no number.
    ///
    /// - Parameter range: the valid durations.
    public func durationsWithUnit(in range: ClosedRange<Duration>) -> [String] {
        let number = trimmed
        guard let seconds = Duration(text: number + "s") else { return [] }
        let texts = seconds < .seconds(100) ? ["\(number)s"] : ["\(number)ms", "\(number)s"]
        return texts.filter { Duration(text: $0).map(range.contains) ?? false }
    }
}
