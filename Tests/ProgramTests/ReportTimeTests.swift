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
}
