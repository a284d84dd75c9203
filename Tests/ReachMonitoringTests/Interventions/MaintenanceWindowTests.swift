import Testing

@testable import ReachMonitoring

@Suite struct MaintenanceWindowTests {
    /// Central European Time in 2026: two hours from UTC between 29 March, 01:00 UTC, and 25 October, 01:00 UTC.
    private static let berlin = ZoneOffsets(
        .seconds(3_600),
        changes: [.init(at: spring, to: .seconds(7_200)), .init(at: autumn, to: .seconds(3_600))]
    )
    private static let spring = time(29, 3, 1)
    private static let autumn = time(25, 10, 1)

    /// A time in 2026, in UTC.
    private static func time(_ day: Int, _ month: Int, _ hour: Int, _ minute: Int = 0) -> Duration {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let days = 20_454 + lengths[..<(month - 1)].reduce(0, +) + day - 1
        return .seconds(days * 86_400 + hour * 3_600 + minute * 60)
    }

    private static func hours(_ hours: Int, _ minutes: Int = 0) -> Duration {
        .seconds(hours * 3_600 + minutes * 60)
    }

    private func daily(_ start: Duration, _ end: MaintenanceWindow.End, _ zone: ZoneOffsets = berlin)
        -> MaintenanceWindow
    {
        MaintenanceWindow(.weekly(Set(Weekday.allCases), from: start, until: end, in: zone))
    }

    @Test func `a local time that is skipped is the moment of the change, and one that is passed twice has two`() {
        let zone = Self.berlin
        let local = { (day: Int, month: Int, hour: Int, minute: Int) in Self.time(day, month, hour, minute) }
        #expect(zone.times(ofLocal: local(29, 3, 1, 59)) == Self.time(29, 3, 0, 59)...Self.time(29, 3, 0, 59))
        #expect(zone.times(ofLocal: local(29, 3, 2, 30)) == Self.spring...Self.spring)
        #expect(zone.times(ofLocal: local(29, 3, 3, 0)) == Self.spring...Self.spring)
        #expect(zone.times(ofLocal: local(25, 10, 2, 30)) == Self.time(25, 10, 0, 30)...Self.time(25, 10, 1, 30))
        #expect(zone.times(ofLocal: local(25, 10, 3, 0)) == Self.time(25, 10, 2)...Self.time(25, 10, 2))
        #expect(zone.times(ofLocal: local(1, 7, 12, 0)) == Self.time(1, 7, 10)...Self.time(1, 7, 10))
    }

    @Test func `a daily window follows local time over both changes of the clock`() {
        let window = daily(Self.hours(2), .time(Self.hours(4)))
        #expect(window.span(at: Self.time(28, 3, 1)) == Self.time(28, 3, 1)..<Self.time(28, 3, 3))
        // The hour from 2 to 3 does not exist.
        #expect(window.span(at: Self.time(29, 3, 1)) == Self.spring..<Self.time(29, 3, 2))
        #expect(window.span(at: Self.time(29, 3, 0, 59)) == nil)
        #expect(window.span(at: Self.time(30, 3, 0)) == Self.time(30, 3, 0)..<Self.time(30, 3, 2))
        // The hour from 2 to 3 comes twice.
        #expect(window.span(at: Self.time(25, 10, 1)) == Self.time(25, 10, 0)..<Self.time(25, 10, 3))
        #expect(window.nextStart(after: Self.time(28, 3, 1)) == Self.spring)
        #expect(window.nextStart(after: Self.spring) == Self.time(30, 3, 0))
    }

    @Test func `a window with a duration is as long on each day`() {
        let window = daily(Self.hours(1, 30), .length(Self.hours(2)))
        #expect(window.span(at: Self.spring) == Self.time(29, 3, 0, 30)..<Self.time(29, 3, 2, 30))
        #expect(window.span(at: Self.autumn) == Self.time(24, 10, 23, 30)..<Self.time(25, 10, 1, 30))
    }

    @Test func `a window in the hour that does not exist does not take place`() {
        let window = daily(Self.hours(2), .time(Self.hours(2, 45)))
        #expect(window.span(at: Self.spring) == nil)
        #expect(window.nextStart(after: Self.time(28, 3, 12)) == Self.time(30, 3, 0))
    }

    @Test func `a window over midnight begins on its day of the week`() {
        // 29 March 2026 is a Sunday.
        let window = MaintenanceWindow(
            .weekly([.saturday], from: Self.hours(23), until: .time(Self.hours(1)), in: ZoneOffsets(.zero))
        )
        #expect(Weekday(day: 0) == .thursday && Weekday(day: -4) == .sunday)
        #expect(window.span(at: Self.time(29, 3, 0, 59)) == Self.time(28, 3, 23)..<Self.time(29, 3, 1))
        #expect(window.span(at: Self.time(29, 3, 1)) == nil && window.span(at: Self.time(29, 3, 23)) == nil)
        #expect(window.nextStart(after: Self.time(28, 3, 23)) == Self.time(4, 4, 23))
    }

    @Test func `a window of a week never ends, and one that takes place once does`() {
        let always = MaintenanceWindow(
            .weekly([.monday], from: .zero, until: .length(MaintenanceWindow.longest), in: ZoneOffsets(.zero))
        )
        for hour in 0..<400 { #expect(always.span(at: Self.time(1, 6, 0) + Self.hours(hour)) != nil) }
        let once = MaintenanceWindow(.once(Self.time(1, 6, 0)..<Self.time(1, 6, 2)))
        #expect(once.nextStart(after: .zero) == Self.time(1, 6, 0))
        #expect(once.nextStart(after: Self.time(1, 6, 0)) == nil)
        #expect(once.span(at: Self.time(1, 6, 1, 59)) != nil && once.span(at: Self.time(1, 6, 2)) == nil)
    }

    /// By another way: each fifth minute of many days of a year is in the window if the local time of day is.
    @Test(arguments: [(2, 0, 4, 0), (23, 30, 1, 15), (2, 30, 2, 45), (0, 0, 3, 0)])
    func `the minutes of a year that are in a window are those whose local time is`(
        startHour: Int,
        startMinute: Int,
        endHour: Int,
        endMinute: Int
    ) {
        let (start, end) = (Self.hours(startHour, startMinute), Self.hours(endHour, endMinute))
        let window = daily(start, .time(end))
        var differences = 0
        for minute in stride(from: 0, to: 365 * 1_440, by: 5) {
            let time = Self.time(1, 1, 0) + .seconds(minute * 60)
            // Every seventeenth day, and all days near a change.
            let isNearChange = [Self.spring, Self.autumn].contains { abs(($0 - time) / .seconds(86_400)) < 3 }
            guard isNearChange || (minute / 1_440).isMultiple(of: 17) else { continue }
            let seconds = (time + Self.berlin.offset(at: time)).components.seconds % 86_400
            let local = Duration.seconds(seconds)
            let isInside = start < end ? local >= start && local < end : local >= start || local < end
            let isDayOfChange = [Self.spring, Self.autumn].contains { change in
                time > change - Self.hours(24) && time < change + Self.hours(24)
            }
            let isOpen = window.span(at: time) != nil
            // On the days of a change, a window may be longer, since it is never interrupted.
            if isInside ? !isOpen : isOpen && !isDayOfChange { differences += 1 }
        }
        #expect(differences == 0)
    }

    @Test func `a window is for all targets, or for those that a name, a group or a tag selects`() {
        var target = Target(name: "NAS", question: .icmp(host: "192.0.2.1"), group: "Home")
        target.tags = ["db"]
        #expect(MaintenanceWindow.Selection().contains(target))
        #expect(MaintenanceWindow.Selection(targets: ["NAS"]).contains(target))
        #expect(MaintenanceWindow.Selection(targets: ["Box"], groups: ["Home"]).contains(target))
        #expect(MaintenanceWindow.Selection(tags: ["db"]).contains(target))
        #expect(!MaintenanceWindow.Selection(targets: ["Box"], groups: ["Office"], tags: ["web"]).contains(target))
    }
}
