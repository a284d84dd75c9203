import Testing

@testable import ReachMonitoring

@Suite("Day and night")
struct ShiftDayTests {
    /// Feeds days of a probe a minute: 20 ms at night, 30 ms from 08:00 to 20:00.
    private func feedDays(_ days: Int, into feed: inout ShiftFeed) {
        for _ in 0..<days * 1440 {
            let minute = Int(feed.now / .seconds(60)) % 1440
            feed.send(1, level: (480..<1200).contains(minute) ? 30 : 20)
        }
    }

    @Test("A daily pattern is reported on the first day at most")
    func pattern() {
        var feed = ShiftFeed(interval: .seconds(60), firstHour: 0)
        feed.now = .zero
        feedDays(2, into: &feed)
        let first = feed.reports.count
        #expect(first <= 4)
        feedDays(8, into: &feed)
        #expect(feed.reports.count == first)
        let usual = feed.shifts.level.usualLevel(forHour: 9)?.milliseconds ?? 0
        #expect(abs(usual - 30) < 1)
    }

    @Test("A pattern without steps, a slow wave, is reported on the first days at most")
    func wave() {
        var feed = ShiftFeed(interval: .seconds(60), firstHour: 0)
        feed.now = .zero
        func feedWave(_ days: Int) {
            for _ in 0..<days * 1440 {
                let minute = Double(Int(feed.now / .seconds(60)) % 1440)
                // A triangle between 20 and 32 ms.
                feed.send(1, level: 20 + abs(minute - 720) / 60)
            }
        }
        feedWave(3)
        let first = feed.reports.count
        #expect(first <= 6)
        feedWave(5)
        #expect(feed.reports.count <= first + 1)
    }

    @Test("A level that is not usual for the hour is reported, and its end")
    func unusual() throws {
        var feed = ShiftFeed(interval: .seconds(60), firstHour: 0)
        feed.now = .zero
        feedDays(5, into: &feed)
        let count = feed.reports.count
        // From midnight: 45 ms for three hours.
        feed.send(180, level: 45)
        #expect(feed.reports.count == count + 1)
        let rise = try #require(feed.reports.last)
        #expect(abs((rise.usual?.milliseconds ?? 0) - 20) < 1)
        feed.send(120, level: 20)
        #expect(feed.reports.count == count + 2)
        #expect(feed.reports.last?.ends == .seconds(180 * 60))
    }

    @Test("The end of a shift is reported a day later at the same hour")
    func sameHourNextDay() {
        var feed = ShiftFeed(interval: .seconds(60), firstHour: 0)
        feed.now = .zero
        feed.send(3 * 1440 + 840, level: 12)
        feed.send(1440 + 25, level: 38)
        feed.send(200, level: 12)
        #expect(feed.reports.count == 2)
    }

    @Test("The usual level follows the last seven days")
    func lastWeek() {
        var feed = ShiftFeed(interval: .seconds(300), firstHour: 0)
        feed.now = .zero
        feed.send(288 * 7, level: 20)
        feed.send(288 * 14, level: 60)
        let usual = feed.shifts.level.usualLevel(forHour: 12)?.milliseconds ?? 0
        #expect(abs(usual - 60) < 2)
    }
}
