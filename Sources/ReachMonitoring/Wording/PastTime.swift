import ReachBasics

/// A time in the past as people write it: `12:25`, `yesterday 14:00`, `2026-11-01`, `2026-11-01T12:00`, `2h`, `now`.
///
/// A time of day without a day is the last such time. A time without `Z` is local time.
package struct PastTime: Sendable, Hashable {
    /// Why a text is no time.
    package enum Problem: Error, Sendable, Hashable {
        /// It has another form, or a number that is too large; with what is wrong, if that is known.
        case invalid(String?)
        /// It is before 1970.
        case tooEarly
    }

    /// The time since 1970; the first and the last one if clocks show the local time twice.
    package let times: ClosedRange<Duration>

    /// Examples of each form, for error messages.
    package static let examples = "12:25, yesterday 14:00, 2026-11-01, 2026-11-01T12:00 or 2h"

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - now: the present time, since 1970.
    ///   - zone: the offsets of local time, which are read only for a local time.
    package init(
        _ text: String,
        before now: Duration,
        in zone: @autoclosure () -> ZoneOffsets
    ) throws(Problem) {
        if text == "now" {
            times = now...now
            return
        }
        if let span = Duration(text: text.hasSuffix(" ago") ? String(text.dropLast(4)) : text) {
            guard span <= now else { throw .tooEarly }
            times = now - span...now - span
            return
        }
        let isUTC = text.hasSuffix("Z")
        let words = text.drop(suffix: "Z").split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 == " " || $0 == "T"
        }
        let zone = isUTC ? ZoneOffsets(.zero) : zone()
        let today = zone.local(now).flooredSeconds.floorDivided(by: 86_400)
        if words.count == 1, let clock = Self.clock(words[0]) {
            // Today, or yesterday if that is not over yet.
            let times = zone.times(ofLocal: .seconds(today * 86_400 + clock))
            self.times = times.lowerBound <= now ? times : zone.times(ofLocal: .seconds((today - 1) * 86_400 + clock))
            return
        }
        let day: Int64? =
            switch words[0] {
            case "today": today
            case "yesterday": today - 1
            default: Self.days(words[0])
            }
        let clock = words.count == 2 ? Self.clock(words[1]) : 0
        guard let day, let clock else { throw .invalid(text.durationProblem) }
        let times = zone.times(ofLocal: .seconds(day * 86_400 + clock))
        // A local day begins with the first of two midnights. The first hours of 1970 may be before those in UTC.
        self.times = words.count == 2 ? times : times.lowerBound...times.lowerBound
        guard day >= 0 else { throw .tooEarly }
    }

    /// The seconds since midnight of `12:25` or `12:25:30`; nil for another text. `24:00` is the end of the day.
    private static func clock(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count <= 2 ? Int64($0) : nil }
        guard (2...3).contains(parts.count), numbers.count == parts.count, !text.contains(where: { "+-".contains($0) }),
            (0...24).contains(numbers[0]), numbers.dropFirst().allSatisfy({ (0...59).contains($0) })
        else { return nil }
        return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }

    /// The days from 1970-01-01 to a date such as `2026-11-01` (Howard Hinnant's `days_from_civil`,
    /// https://howardhinnant.github.io/date_algorithms.html); nil for another text, or a day that its month lacks.
    private static func days(_ text: Substring) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64($0) }
        guard parts.count == 3, numbers.count == 3, parts[0].count == 4, !text.contains("+"),
            (1...9_999).contains(numbers[0]), (1...12).contains(numbers[1])
        else { return nil }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard (1...Int64(length)).contains(day) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension String {
    /// The text without a suffix, if it has that.
    fileprivate func drop(suffix: String) -> Substring {
        hasSuffix(suffix) ? dropLast(suffix.count) : self[...]
    }
}
