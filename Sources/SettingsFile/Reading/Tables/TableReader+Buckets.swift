import Monitoring

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
    private func bucket(_ element: Value, at index: Int, of key: String) -> Duration? {
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
