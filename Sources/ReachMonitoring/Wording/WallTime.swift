import ReachBasics

/// The wall time of the program's start, from which all other times in the program are counted.
public struct WallTime: Sendable, Hashable {
    /// The program's start, since 1970-01-01T00:00:00Z.
    public var start: Duration
    /// The offsets of local time from UTC.
    public var zone: ZoneOffsets

    /// Creates a wall time whose local time has these offsets.
    public init(start: Duration, zone: ZoneOffsets) {
        self.start = start
        self.zone = zone
    }

    /// Creates a wall time; without an offset, local time is UTC.
    public init(start: Duration, offset: Duration = .zero) {
        self.init(start: start, zone: ZoneOffsets(offset))
    }

    /// The local time of day: `14:02:31`.
    public func timeOfDay(at time: Duration) -> String {
        Self.timeOfDay(seconds: zone.local(start + time).flooredSeconds.floorRemainder(by: 86_400))
    }

    /// The time in RFC 3339 format, with milliseconds, in UTC: `2026-11-20T14:02:19.114Z`.
    public func timestamp(at time: Duration) -> String {
        let time = start + time
        let seconds = time.flooredSeconds
        let secondOfDay = seconds.floorRemainder(by: 86_400)
        let date = Self.date(days: seconds.floorDivided(by: 86_400))
        let milliseconds = Self.digits((time - .seconds(seconds)).components.attoseconds / 1_000_000_000_000_000, 3)
        return "\(date)T\(Self.timeOfDay(seconds: secondOfDay)).\(milliseconds)Z"
    }

    /// The local time of day in minutes: `14:02`.
    package func minuteOfDay(at time: Duration) -> String { String(timeOfDay(at: time).prefix(5)) }

    private static func timeOfDay(seconds: Int64) -> String {
        "\(digits(seconds / 3_600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
    }

    /// The Gregorian date of a day counted from 1970-01-01 (Howard Hinnant's `civil_from_days`,
    /// https://howardhinnant.github.io/date_algorithms.html).
    private static func date(days: Int64) -> String {
        let shifted = days + 719_468
        let dayOfEra = shifted.floorRemainder(by: 146_097)
        let era = shifted.floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension Duration {
    /// Its seconds, rounded down also if it is negative: a time before 1970.
    package var flooredSeconds: Int64 {
        components.seconds - (components.attoseconds < 0 ? 1 : 0)
    }
}

/// The offsets of local time from UTC in a period, with their changes, such as the beginning of daylight saving time.
public struct ZoneOffsets: Sendable, Hashable {
    /// A change of the offset.
    public struct Change: Sendable, Hashable {
        /// When it happens, since 1970.
        public let time: Duration
        /// The offset from then on.
        public let offset: Duration

        /// Creates a change.
        public init(at time: Duration, to offset: Duration) {
            (self.time, self.offset) = (time, offset)
        }
    }

    /// The offset before the first change.
    let first: Duration
    /// The changes, oldest first.
    let changes: [Change]

    /// Creates offsets.
    ///
    /// - Parameters:
    ///   - first: the offset before the first change.
    ///   - changes: the changes, oldest first.
    public init(_ first: Duration, changes: [Change] = []) {
        (self.first, self.changes) = (first, changes)
    }

    /// The offset at a time since 1970.
    package func offset(at time: Duration) -> Duration {
        offset(before: position(after: time))
    }

    /// The local time of a time since 1970, as if it were UTC.
    package func local(_ time: Duration) -> Duration {
        time + offset(at: time)
    }
}

extension ZoneOffsets {
    /// The local time of day of a time since 1970: `14:02:31`.
    package func timeOfDay(_ time: Duration) -> String {
        WallTime(start: .zero).timeOfDay(at: local(time))
    }

    /// The local time of a time since 1970 for the name of a file: `2026-11-28-140231`.
    package func stamp(of time: Duration) -> String {
        let local = WallTime(start: .zero).timestamp(at: local(time)).prefix { $0 != "." }
        return String(local).replacing(":", with: "").replacing("T", with: "-")
    }

    /// The local day of a time since 1970, in six columns: ` 3 Nov`, `12 Nov`.
    package func day(_ time: Duration) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = WallTime(start: .zero).timestamp(at: local(time)).prefix(10).split(separator: "-")
        guard parts.count == 3, let month = Int(parts[1]), months.indices.contains(month - 1) else { return "" }
        let day = parts[2].hasPrefix("0") ? " \(parts[2].dropFirst())" : String(parts[2])
        return "\(day) \(months[month - 1])"
    }
}

extension Double {
    /// A share, 0…1, such as an availability, in per cent with two decimals, rounded down: only one is `100%`.
    package var precisePercentText: String {
        guard self < 1 else { return "100%" }
        let hundredths = Int((self * 10_000).rounded(.down))
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)%"
    }
}

extension WatchedSpan.State {
    /// The name on the screen.
    package var name: String {
        self == .unwatched ? "not watched" : rawValue
    }
}
