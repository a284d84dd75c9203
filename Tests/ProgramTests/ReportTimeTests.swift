import Monitoring
import Testing

@testable import reach

/// The times of `--since` and `--until`.
struct ReportTimeTests {
    @Test(arguments: [
        "2026-02-30", "2026-02-29T12:00Z", "2026-04-31", "2026-11-31T00:00", "2026-13-01", "2026-00-10",
    ])
    func `a day that the month lacks is invalid`(text: String) {
        #expect(throws: StartupError.self) { try ReportCommand.time(text, before: .seconds(9), of: "--since") }
    }

    @Test(arguments: [
        ("2024-02-29T00:00Z", 1_709_164_800), ("2026-11-30T24:00Z", 1_796_083_200),
        ("2026-01-31T00:00Z", 1_769_817_600),
    ])
    func `the last day of a month is valid`(text: String, expected: Int) throws {
        #expect(try ReportCommand.time(text, before: .seconds(9), of: "--since") == .seconds(expected))
    }

    /// Europe/Berlin in spring of 2026: summer time begins on 29 March at 01:00 UTC.
    private let berlin = ZoneOffsets(
        .seconds(3_600),
        changes: [.init(at: .seconds(1_774_746_000), to: .seconds(7_200))]
    )

    @Test(arguments: [
        // 02:30 does not exist: it is 03:00, as in maintenance windows.
        ("2026-03-29T02:30", 1_774_746_000), ("2026-03-29T03:30", 1_774_747_800), ("2026-03-29T01:30", 1_774_744_200),
        ("2026-03-29", 1_774_738_800), ("today", 1_774_821_600), ("yesterday", 1_774_738_800),
    ])
    func `local times and days are those of the zone`(text: String, expected: Int) throws {
        // 30 March, 14:00.
        let now = Duration.seconds(1_774_872_000)
        let time = try ReportCommand.time(text, before: now, of: "--since", zone: berlin)
        #expect(time == .seconds(expected))
    }
}
