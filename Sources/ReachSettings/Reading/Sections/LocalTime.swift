import Foundation
import ReachBasics
package import ReachMonitoring

/// Times of the calendar as texts of the settings.
enum CalendarText {
    /// The time of a date and a time of day, such as `2026-12-01T22:00`, since 1970 and as if it were UTC; and whether it
    /// is in UTC (`Z`).
    ///
    /// - Returns: nil for another text, or a day that does not exist.
    static func time(_ text: String) -> (local: Duration, isUTC: Bool)? {
        let isUTC = text.hasSuffix("Z")
        let parts = text.dropLast(isUTC ? 1 : 0).split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard parts.count == 2, let day = day(parts[0]), let time = timeOfDay(parts[1]), time < .seconds(86_400) else {
            return nil
        }
        return (.seconds(day * 86_400) + time, isUTC)
    }

    /// The time of day of a text such as `22:00` or `22:00:30`, after midnight; `24:00` is the end of the day.
    static func timeOfDay(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let numbers = parts.compactMap { $0.count == 2 ? number($0) : nil }
        guard numbers.count == parts.count else { return nil }
        let (hour, minute, second) = (numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
        guard minute < 60, second < 60, hour < 24 || (hour == 24 && minute == 0 && second == 0) else { return nil }
        return .seconds(hour * 3_600 + minute * 60 + second)
    }

    /// The day of a date such as `2026-12-01`, counted from 1970-01-01 (Howard Hinnant's `days_from_civil`,
    /// https://howardhinnant.github.io/date_algorithms.html).
    private static func day(_ text: Substring) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2] else { return nil }
        let numbers = parts.compactMap(number)
        guard numbers.count == 3, ZoneOffsets.years.contains(Int(numbers[0])), (1...12).contains(numbers[1]) else {
            return nil
        }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[Int(month) - 1]).contains(day) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return shifted / 400 * 146_097 + dayOfEra - 719_468
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
    }
}

extension ZoneOffsets {
    /// The years whose changes are known.
    static let years = 2_000...2_099
    private static let period = ClosedRange(uncheckedBounds: (lower: Int64(946_684_800), upper: Int64(4_102_444_800)))

    /// The zone of this machine, or the one that the environment variable TZ names.
    package static func local() -> ZoneOffsets {
        ZoneOffsets(TimeZone.current)
    }

    /// The zone with a name of the time zone database, such as `Europe/Berlin`; nil if there is none.
    package init?(named name: String) {
        // Foundation takes abbreviations for names of zones, and ignores case.
        let isName = name == "UTC" || TimeZone.knownTimeZoneIdentifiers.contains(name)
        guard isName, let zone = TimeZone(identifier: name) else { return nil }
        self.init(zone)
    }

    /// The name of a zone that is nearest to another one; nil if none is near.
    static func name(near name: String) -> String? {
        let names = TimeZone.knownTimeZoneIdentifiers + ["UTC"]
        let city = names.first { $0.lowercased().hasSuffix("/\(name.lowercased())") }
        return city ?? names.first { $0.lowercased() == name.lowercased() } ?? name.nearest(of: names)
    }

    /// Compares the offsets of successive weeks, since Foundation lists only the changes of daylight saving time.
    private init(_ zone: TimeZone) {
        self.init(from: Self.period.lowerBound, until: Self.period.upperBound, step: 7 * 86_400) { time in
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time))))
        }
    }

    /// The zone with these offsets from UTC between two times since 1970, all in seconds.
    ///
    /// - Parameter step: The least time between two changes.
    package init(from first: Int64, until last: Int64, step: Int64, offset: (Int64) -> Int64) {
        let start = offset(first)
        var (time, present) = (first, start)
        var changes: [Change] = []
        while time < last {
            let end = min(last, time + step)
            let next = offset(end)
            if next != present {
                // The second of the change, by bisection.
                var (low, high) = (time, end)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(middle) == present { low = middle } else { high = middle }
                }
                changes.append(Change(at: .seconds(high), to: .seconds(next)))
            }
            (time, present) = (end, next)
        }
        self.init(.seconds(start), changes: changes)
    }
}
