package import ReachMonitoring

/// How a layer changes which lasting changes of round trips and losses are reported.
struct ShiftLayer: Sendable {
    var isOn: Bool?
    var atLeast: Double?
    var and: Duration?

    /// Adds the changes of a nearer layer.
    mutating func apply(_ nearer: ShiftLayer) {
        isOn = nearer.isOn ?? isOn
        atLeast = nearer.atLeast ?? atLeast
        and = nearer.and ?? and
    }

    /// The settings of a target; nil if nothing is reported.
    var settings: ShiftSettings? {
        guard isOn ?? true else { return nil }
        var settings = ShiftSettings()
        if let atLeast { settings.atLeast = atLeast }
        if let and { settings.and = and }
        return settings
    }
}

extension ShiftSettings {
    /// The values that `at_least` can have, as shares.
    package static let shares = 0.01...100.0
    /// The values that `and` can have.
    package static let times = Duration.zero...(.seconds(60))

    /// What a number may mean in place of a share: `20` and `0.2` are 20 %; nil if that is out of range.
    package static func shareHint(for text: String) -> String? {
        guard let number = Double(text), number > 0, number.isFinite else { return nil }
        let percent = number < 1 ? number * 100 : number
        guard shares.contains(percent / 100) else { return nil }
        let whole = percent.rounded()
        return "did you mean \"\(abs(percent - whole) < 1e-9 ? String(Int(whole)) : String(percent)) %\"?"
    }

    /// Reads a share of `at_least`: `20 %`, or `20%`; nil for another text.
    package static func share(text: String) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast().drop { $0 == " " }.trimmedAtEnd) else {
            return nil
        }
        return number.isFinite ? number / 100 : nil
    }
}

extension Substring {
    /// The text without blanks at its end.
    fileprivate var trimmedAtEnd: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension TableReader {
    private static let shareHint = "such as at_least = \"20 %\""

    /// Reads `shifts = false` or `shifts = { … }`; nil without the key, or for an invalid value.
    mutating func shiftLayer(_ key: String) -> ShiftLayer? {
        var change = ShiftLayer()
        switch rawValue(key) {
        case nil where !isDescribing:
            _ = value(key)
            return nil
        case .boolean(let isOn)?:
            _ = value(key)
            change.isOn = isOn
        case nil, .table?:
            var table = self.table(key, example: "shifts = { at_least = \"20 %\", and = \"5ms\" }")
            change.isOn = true
            change.atLeast = table.percentage("at_least", in: ShiftSettings.shares)
            change.and = table.shortDuration("and", in: ShiftSettings.times)
            table.reportUnknownKeys()
        case .some(let other):
            _ = value(key)
            let hint = "such as shifts = false or shifts = { at_least = \"20 %\", and = \"5ms\" }"
            reportType(of: key, found: other, expected: "true, false or a table", hint: hint)
            return nil
        }
        schema?.add(.boolean, to: key)
        return change
    }

    /// Reads a duration whose missing unit is probably milliseconds.
    private mutating func shortDuration(_ key: String, in range: ClosedRange<Duration>) -> Duration? {
        var number: Int?
        switch rawValue(key) {
        case .integer(let value)?: number = value
        case .string(let text)?: number = Int(text)
        default: break
        }
        guard let number, number >= 0 else { return duration(key, in: range) }
        _ = value(key)
        report("\(number) has no unit", hint: "did you mean \("\(number)ms".quoted)?", about: key)
        return nil
    }

    /// Reads a share that is written in per cent: `"20 %"`.
    private mutating func percentage(_ key: String, in range: ClosedRange<Double>) -> Double? {
        describe(key, as: .text(matching: #"^[0-9.]+ *%$"#))
        guard let value = value(key) else { return nil }
        guard case .string(let string) = value else {
            var guess: String?
            switch value {
            case .integer(let number): guess = ShiftSettings.shareHint(for: String(number))
            case .number(let number): guess = ShiftSettings.shareHint(for: String(number))
            default: break
            }
            reportType(of: key, found: value, expected: "a text", hint: guess ?? Self.shareHint)
            return nil
        }
        guard let text = substituted(string, for: key) else { return nil }
        guard let share = ShiftSettings.share(text: text) else {
            let guess = ShiftSettings.shareHint(for: text)
            report("invalid share \(text.quoted)", hint: guess ?? Self.shareHint, about: key)
            return nil
        }
        guard range.contains(share) else {
            report("\(text.quoted) is out of range", hint: "from 1 % to 10000 %", about: key)
            return nil
        }
        return share
    }
}
