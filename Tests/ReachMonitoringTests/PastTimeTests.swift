import TestSupport
import Testing

@testable import ReachMonitoring

/// Times in the past as people write them. The forms of dates are tested with the options of `reach report`.
@Suite struct PastTimeTests {
    /// 20 November 2026, 14:02:31 in Berlin.
    private static let now = Duration.seconds(1_795_179_751)
    private static let zone = ZoneOffsets(.seconds(3_600))
    /// Midnight of that day.
    private static let midnight = 1_795_129_200

    private func read(_ text: String) throws(PastTime.Problem) -> Int {
        Int(try PastTime(text, before: Self.now, in: Self.zone).times.upperBound.components.seconds) - Self.midnight
    }

    @Test(arguments: [
        ("12:25", 12 * 3_600 + 1_500), ("12:25:30", 12 * 3_600 + 1_530), ("0:05", 300), ("14:02:31", 50_551),
        // The last such time.
        ("14:02:32", 50_552 - 86_400), ("23:59", 86_340 - 86_400), ("24:00", 0),
        ("yesterday", -86_400), ("yesterday 14:00", 50_400 - 86_400), ("today", 0), ("today 9:30", 34_200),
        ("2026-11-19 23:00", -3_600), ("2026-11-19T23:00", -3_600), ("2026-11-19T23:00Z", 0),
        ("2026-02-28", -22_896_000),
        ("2h", 50_551 - 7_200), ("2h ago", 50_551 - 7_200), ("now", 50_551),
    ])
    func `forms of a time`(text: String, expected: Int) throws {
        #expect(try read(text) == expected)
    }

    @Test(arguments: [
        "25:99", "12:60", "12:25:99", "12", "12:", ":30", "12:2x", "+1:00", "-1:00", "noon", "yesterday noon",
        "tomorrow",
        "2026-13-01", "2026-02-29", "2026-11-31", "2026-1-1x", "26-11-20", "2026-11-20 25:00", "", " ", "T12:00",
        "12:25Z Z",
    ])
    func `other texts are no times`(text: String) {
        #expect(throws: PastTime.Problem.self) { try read(text) }
    }

    @Test func `a duration in another notation says what is probably meant`() {
        #expect(throws: PastTime.Problem.invalid("invalid duration \"5 minutes\" – did you mean 5m?")) {
            try read("5 minutes")
        }
    }

    @Test func `each day of four years is found again`() throws {
        for day in 20_454..<21_915 {
            let date = String(WallTime(start: .zero).timestamp(at: .seconds(day * 86_400)).prefix(10))
            let time = try PastTime("\(date)T00:00Z", before: Self.now, in: Self.zone).times.lowerBound
            #expect(time == .seconds(day * 86_400), "\(date)")
        }
    }
}
