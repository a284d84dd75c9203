import ReachMonitoring

extension TableReader {
    /// Reads true or false.
    mutating func flag(_ key: String) -> Bool? {
        describe(key, as: .boolean)
        guard let value = value(key) else { return nil }
        if case .boolean(let flag) = value { return flag }
        var hint: String?
        if case .string(let text) = value, Bool(text) != nil { hint = "write \(text), without quotes" }
        reportType(of: key, found: value, expected: "true or false", hint: hint)
        return nil
    }

    /// Reads a whole number.
    mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        describe(key, as: .integer(range))
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value else {
            var hint: String?
            if case .string(let text) = value, Int(text) != nil { hint = "write \(text), without quotes" }
            if case .number = value { hint = Self.limits(range) }
            reportType(of: key, found: value, expected: "a whole number", hint: hint)
            return nil
        }
        return isIn(range, number, key) ? number : nil
    }

    /// Returns whether a number is in range, and reports it if it is not.
    func isIn(_ range: ClosedRange<Int>, _ number: Int, _ key: String) -> Bool {
        guard !range.contains(number) else { return true }
        report("\(number) is out of range", hint: Self.limits(range), about: key)
        return false
    }

    private static func limits(_ range: ClosedRange<Int>) -> String {
        range.upperBound == .max ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    }

    /// Reads a fraction, such as 0.05.
    mutating func share(_ key: String, in range: ClosedRange<Double>) -> Double? {
        describe(key, as: .number(range))
        guard let value = value(key) else { return nil }
        let limits = "a share from 0 to \(range.upperBound == 1 ? "1" : String(range.upperBound)), such as 0.05 for 5%"
        let number: Double
        switch value {
        case .integer(let whole): number = Double(whole)
        case .number(let fraction): number = fraction
        case .string(let text):
            let percent = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
            let guess = percent.flatMap { range.contains($0) ? "did you mean \($0)?" : nil }
            reportType(of: key, found: value, expected: "a number", hint: guess ?? limits)
            return nil
        case .boolean, .date, .array, .table:
            reportType(of: key, found: value, expected: "a number", hint: limits)
            return nil
        }
        guard range.contains(number) else {
            let isPercent = number >= 1 && range.contains(number / 100)
            let hint = isPercent ? "did you mean \((number * 10_000).rounded() / 1_000_000)?" : limits
            report("\(number.shortText) is out of range", hint: hint, about: key)
            return nil
        }
        return number
    }

    /// Reads a number of per cent, such as 99.9.
    mutating func percent(_ key: String, in range: ClosedRange<Double>) -> Double? {
        describe(key, as: .number(range))
        guard let value = value(key) else { return nil }
        let limits = "from \(range.lowerBound.shortText) to \(range.upperBound.shortText), such as 99.9"
        switch value {
        case .integer(let whole) where range.contains(Double(whole)): return Double(whole)
        case .number(let number) where range.contains(number): return number
        case .integer, .number:
            // A share, such as 0.999, where per cent are meant.
            let percent = (Double(value.shortNumber) ?? 0) * 100
            let isShare = percent < 100 && range.contains(percent)
            let hint = isShare ? "did you mean \(((percent * 1_000).rounded() / 1_000).shortText)?" : limits
            report("\(value.shortNumber) is out of range", hint: hint, about: key)
        case .string(let text):
            let percent = Double(text.filter { $0 != "%" && $0 != " " }).flatMap { range.contains($0) ? $0 : nil }
            let guess = percent.map { "did you mean \($0.shortText)?" }
            reportType(of: key, found: value, expected: "a number", hint: guess ?? limits)
        case .boolean, .date, .array, .table:
            reportType(of: key, found: value, expected: "a number", hint: limits)
        }
        return nil
    }

    /// Reads a duration.
    ///
    /// - Parameter reason: The reason for the lower bound, for the hint.
    mutating func duration(_ key: String, in range: ClosedRange<Duration>, because reason: String? = nil) -> Duration? {
        describe(key, as: .duration)
        guard let value = value(key) else { return nil }
        let text: String
        switch value {
        case .string(let string):
            guard let substituted = substituted(string, for: key) else { return nil }
            text = substituted
        case .integer, .number:
            let number = value.shortNumber
            report("\(number) has no unit", hint: Self.withUnit(number, in: range), about: key)
            return nil
        case .boolean, .date, .array, .table:
            reportType(of: key, found: value, expected: "a duration", hint: Self.durations)
            return nil
        }
        guard let duration = Duration(text: text) else {
            if Duration(text: text + "s") != nil {
                report("\(text.quoted) has no unit", hint: Self.withUnit(text, in: range), about: key)
            } else {
                let hint = text.nearestDuration.map { "did you mean \($0.quoted)?" }
                report("invalid duration \(text.quoted)", hint: hint ?? Self.durations, about: key)
            }
            return nil
        }
        if duration < range.lowerBound {
            let least = "at least \"\(range.lowerBound.settingsNotation)\""
            report("\(text.quoted) is too short", hint: reason.map { "\(least): \($0)" } ?? least, about: key)
            return nil
        }
        if duration > range.upperBound {
            report("\(text.quoted) is too long", hint: "at most \"\(range.upperBound.settingsNotation)\"", about: key)
            return nil
        }
        return duration
    }

    /// Returns the hint for a number without a unit.
    private static func withUnit(_ number: String, in range: ClosedRange<Duration>) -> String {
        let suggestions = number.durationsWithUnit(in: range).map(\.quoted)
        return suggestions.isEmpty ? durations : "did you mean \(suggestions.joined(separator: " or "))?"
    }

    private static let durations = "such as \"250ms\", \"5s\", \"2m\", \"1h30m\", \"3d\""
}

extension TOMLValue {
    fileprivate var shortNumber: String {
        switch self {
        case .integer(let number): String(number)
        case .number(let number): number.shortText
        case .string, .boolean, .date, .array, .table: ""
        }
    }
}

extension Double {
    /// The number, without a fraction of zero.
    fileprivate var shortText: String {
        Int(exactly: self).map { String($0) } ?? String(self)
    }
}

extension Duration {
    /// The duration in the notation of the settings, as a whole number of the largest possible unit: `90s`, `1500ms`.
    var settingsNotation: String {
        let units: [(name: String, nanoseconds: Int64)] = [
            ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
            ("ms", 1_000_000),
        ]
        let (seconds, attoseconds) = components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        guard let unit = units.first(where: { nanoseconds % $0.nanoseconds == 0 }), nanoseconds > 0 else {
            return nanoseconds == 0 ? "0s" : "\(nanoseconds / 1_000)us"
        }
        return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
    }
}

extension TableReader {
    /// Reads the upper bounds of a histogram: durations in ascending order.
    mutating func buckets(_ key: String) -> [Duration]? {
        describe(key, as: .array(.duration, isEmptyAllowed: false))
        guard let value = value(key) else { return nil }
        guard case .array(let elements) = value else {
            reportType(of: key, found: value, expected: "an array of durations", hint: Self.bucketExample)
            return nil
        }
        guard (1...30).contains(elements.count) else {
            report("\(elements.count) buckets", hint: "from 1 to 30, \(Self.bucketExample)", about: key)
            return nil
        }
        let bounds = elements.enumerated().map { bucket($1, at: $0, of: key) }
        for (index, (lower, upper)) in zip(bounds, bounds.dropFirst()).enumerated() {
            guard let lower, let upper, upper <= lower else { continue }
            let (text, previous) = (upper.settingsNotation.quoted, lower.settingsNotation.quoted)
            report("\(text) is not longer than \(previous) before it", hint: "ascending order", in: key, at: index + 1)
        }
        let valid = bounds.compactMap(\.self)
        return valid.count == elements.count && zip(valid, valid.dropFirst()).allSatisfy { $0 < $1 } ? valid : nil
    }

    /// Reads the upper bound of one bucket.
    private func bucket(_ element: TOMLValue, at index: Int, of key: String) -> Duration? {
        guard case .string(let string) = element else {
            report("expected a duration, found \(element.type)", hint: Self.bucketExample, in: key, at: index)
            return nil
        }
        guard let text = substituted(string, for: key) else { return nil }
        guard let bound = Duration(text: text) else {
            let hint = text.nearestDuration.map { "did you mean \($0.quoted)?" }
            report("invalid duration \(text.quoted)", hint: hint ?? Self.bucketExample, in: key, at: index)
            return nil
        }
        guard bound >= .microseconds(1), bound <= .seconds(3_600) else {
            report("\(text.quoted) is out of range", hint: "from \"1us\" to \"1h\"", in: key, at: index)
            return nil
        }
        return bound
    }

    private static let bucketExample = "such as [\"1ms\", \"10ms\", \"100ms\"]"
}
