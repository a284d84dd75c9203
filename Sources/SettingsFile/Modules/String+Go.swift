import Monitoring

extension Duration {
    /// Parses a duration of Go's `time.ParseDuration`: `1m30s`, `-1.5h`, `0`. Nil if it is invalid.
    init?(go text: String) {
        let isNegative = text.hasPrefix("-")
        let body = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let units = ["ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3_600]
        guard let seconds = body == "0" ? 0 : body.sum(of: units), seconds < 9e9 else { return nil }
        self = .nanoseconds(Int64((isNegative ? -seconds : seconds) * 1e9))
    }
}

extension Substring {
    /// The sum of numbers with units, such as `1m30s`; nil if the text is anything else.
    func sum(of units: [String: Double]) -> Double? {
        var (sum, rest) = (0.0, self)
        repeat {
            let number = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0 != "." && !($0.isASCII && $0.isNumber) }
            rest = rest.dropFirst(unit.count)
            // Go accepts a point before and after the digits.
            let padded = number.contains(".") ? "0\(number)0" : String(number)
            guard number.contains(where: \.isNumber), let value = Double(padded), let size = units[String(unit)]
            else { return nil }
            sum += value * size
        } while !rest.isEmpty
        return sum
    }
}

extension String {
    /// The value of a whole number in YAML: `1_000`, `0x10`, `0o17`, `1e3`. Nil for another text.
    var wholeNumber: Int? {
        let text = filter { $0 != "_" }
        let isNegative = text.hasPrefix("-")
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2), ("0", 8)] where digits.hasPrefix(prefix) {
            if let number = Int(digits.dropFirst(prefix.count), radix: radix) { return isNegative ? -number : number }
        }
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    }

    /// Whether a regular expression has a bracket or parenthesis without its counterpart, or ends with a backslash.
    var hasUnbalancedBrackets: Bool {
        var (depth, isClass, rest) = (0, false, self[...])
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard rest.popFirst() != nil else { return true }
            case "[" where !isClass:
                isClass = true
                // A bracket at the beginning of a class is one of its characters.
                if rest.first == "^" { rest.removeFirst() }
                if rest.first == "]" { rest.removeFirst() }
            case "[" where rest.first == ":":
                // A class of POSIX such as [:digit:].
                if let end = rest.firstRange(of: ":]") { rest = rest[end.upperBound...] }
            case "]": isClass = false
            case "(" where !isClass: depth += 1
            case ")" where !isClass: depth -= 1
            default: break
            }
            if depth < 0 { return true }
        }
        return depth > 0 || isClass
    }
}
