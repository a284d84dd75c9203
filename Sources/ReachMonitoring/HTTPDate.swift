/// A date in an HTTP field (RFC 9110 §5.6.7), in any of the three forms that a recipient must accept:
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT
/// Sunday, 06-Nov-94 08:49:37 GMT
/// Sun Nov  6 08:49:37 1994
/// ```
package struct HTTPDate: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let seconds: Int64

    /// Parses a field's value; the name of the day is ignored.
    ///
    /// - Parameter now: the local time in seconds since 1970, which decides the century of a year of two digits.
    package init?(_ text: String, now: Int64) {
        let fields = text.split { $0 == " " || $0 == "-" }.map { String($0) }
        switch fields.count {
        case 6 where fields[0].hasSuffix(",") && fields[5] == "GMT":
            guard let year = Self.year(fields[3], now: now) else { return nil }
            self.init(year: year, month: fields[2], day: fields[1], time: fields[4])
        case 5:
            guard let year = Self.number(fields[4], digits: 4...4) else { return nil }
            self.init(year: year, month: fields[1], day: fields[2], time: fields[3])
        default:
            return nil
        }
    }

    private init?(year: Int, month: String, day: String, time: String) {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Self.number($0, digits: 2...2) }
        guard
            let month = Self.months.firstIndex(of: month).map({ $0 + 1 }),
            let day = Self.number(day, digits: 1...2), (1...31).contains(day),
            parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            // 60 is a leap second.
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        seconds = Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// A year of two digits that would be more than fifty years ahead is in the past.
    private static func year(_ text: String, now: Int64) -> Int? {
        if let year = number(text, digits: 4...4) { return year }
        guard let short = number(text, digits: 2...2) else { return nil }
        let current = 1970 + Int(now / 31_556_952)
        let year = current / 100 * 100 + short
        return year > current + 50 ? year - 100 : year
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", `days_from_civil`), for years that are not negative.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
