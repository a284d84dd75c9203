import ReachBasics

/// A day of the week. The raw values are those of the settings.
package enum Weekday: String, Sendable, Hashable, CaseIterable {
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"

    /// The weekday of a day, counted from 1970-01-01, which was a Thursday.
    package init(day: Int64) {
        self = Self.allCases[Int((day + 3).floorRemainder(by: 7))]
    }
}
