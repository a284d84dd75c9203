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
        let number = String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard let seconds = Duration(text: number + "s") else { return [] }
        let texts = seconds < .seconds(100) ? ["\(number)s"] : ["\(number)ms", "\(number)s"]
        return texts.filter { Duration(text: $0).map(range.contains) ?? false }
    }
}
