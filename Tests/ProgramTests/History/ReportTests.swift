import ArgumentParser
import Foundation
import ReachHistory
import ReachMonitoring
import Testing

@testable import reach

/// The targets of `reach report`.
struct ReportTargetTests {
    @Test(arguments: [
        ("Home", #"no target "Home" in the history – it is a group: @group:Home"#),
        ("NAS", #"no target "NAS" in the history – NAS is now Storage"#),
        ("Storag", #"no target "Storag" in the history – did you mean "Storage"?"#),
    ])
    func `an unknown name has a hint`(name: String, problem: String) throws {
        try withDatabase { database in
            let error = #expect(throws: StartupError.self) {
                try ReportCommand.chosen([name], from: database, known: known(["Storage"], formerly: "NAS"))
            }
            #expect(error?.lines == [problem])
        }
    }

    @Test func `a renamed target has the records of its name before, also before the next start`() throws {
        try withDatabase { database in
            let renamed = try known(["Box"], formerly: "Storage")
            let rows = try ReportCommand.chosen(["Box"], from: database, known: renamed)
            #expect(rows == [TargetRow(id: 1, name: "Box", url: Self.url, group: "Home")])
            // With another URL, its history is a new one.
            let moved = try known(["Box"], url: "tcp://nas.local:22", formerly: "Storage")
            let error = #expect(throws: StartupError.self) {
                try ReportCommand.chosen(["Box"], from: database, known: moved)
            }
            let hint = "Storage, its name before, had another URL"
            #expect(error?.lines == [#"no target "Box" in the history – \#(hint)"#])
        }
    }

    @Test func `the targets of a group are in the order of the settings, and others are last`() throws {
        try withDatabase(["Zoo", "Alpha", "Storage"]) { database in
            let rows = try ReportCommand.chosen(["@group:Home"], from: database, known: known(["Zoo", "Storage"]))
            #expect(rows.map(\.name) == ["Zoo", "Storage", "Alpha"])
            let byName = try ReportCommand.chosen(["@group:Home"], from: database)
            #expect(byName.map(\.name) == ["Alpha", "Storage", "Zoo"])
        }
    }

    @Test func `one format is enough`() {
        #expect(throws: (any Error).self) { try ReportCommand.parse(["--format", "html", "--format", "json"]) }
        #expect(throws: Never.self) { try ReportCommand.parse(["--format", "html", "-c", "dashboard.toml"]) }
    }

    @Test(arguments: [["--top", "0"], ["--all-known", "NAS"], ["--sort", "size"]])
    func `options that cannot be`(words: [String]) {
        #expect(throws: (any Error).self) { try ReportCommand.parse(words) }
    }

    @Test func `one action of the history at a time`() throws {
        #expect(throws: (any Error).self) { try HistoryCommand.parse(["--forget", "NAS", "--prune"]) }
        #expect(try HistoryCommand.parse(["--forget", "NAS"]).forgotten == "NAS")
    }

    private static let url = "tcp://nas.local:445"

    /// The targets of settings with these names, in one group.
    private func known(_ names: [String], url: String = url, formerly: String? = nil) throws -> KnownTargets? {
        let path = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).toml")
        defer { try? FileManager.default.removeItem(at: path) }
        let tables = names.map { name in
            let former = formerly.map { "formerly = \"\($0)\"\n" } ?? ""
            return "[[target]]\nname = \"\(name)\"\nurl = \"\(url)\"\ngroup = \"Home\"\n\(former)"
        }
        try tables.joined().write(to: path, atomically: true, encoding: .utf8)
        return try KnownTargets(of: path.path, isNeeded: true)
    }

    private func withDatabase(_ names: [String] = ["Storage"], _ body: (HistoryDatabase) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).sqlite").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let database = try HistoryDatabase(path: path, for: .write)
        var records = names.enumerated().map { index, name in
            StoredRecord.target(id: Int64(index + 1), name: name, url: Self.url, group: "Home")
        }
        _ = try database.add { records.popLast() }
        try body(database)
    }
}

/// The times of `--since` and `--until`.
struct ReportTimeTests {
    @Test(arguments: [
        "2026-02-30", "2026-02-29T12:00Z", "2026-04-31", "2026-11-31T00:00", "2026-13-01", "2026-00-10",
    ])
    func `a day that the month lacks is invalid`(text: String) {
        #expect(throws: StartupError.self) { try ReportCommand.times(text, before: .seconds(9), of: "--since") }
    }

    @Test(arguments: [
        ("2024-02-29T00:00Z", 1_709_164_800), ("2026-11-30T24:00Z", 1_796_083_200),
        ("2026-01-31T00:00Z", 1_769_817_600),
    ])
    func `the last day of a month is valid`(text: String, expected: Int) throws {
        #expect(try ReportCommand.times(text, before: .seconds(9), of: "--since").lowerBound == .seconds(expected))
    }

    @Test(arguments: [
        ("7", "\"7\" has no unit – did you mean 7d?"), ("3600", "\"3600\" has no unit – did you mean 3600ms or 3600s?"),
        ("soon", "such as 24h, 30d, 12:25, yesterday, 2026-11-01 or 2026-11-01T12:00"),
    ])
    func `a number without a unit is one of days`(text: String, fix: String) {
        let error = #expect(throws: StartupError.self) {
            try ReportCommand.times(text, before: .seconds(9), of: "--since")
        }
        #expect(error?.lines == ["--since \(text): invalid time – \(fix)"])
    }

    @Test func `now is the present time`() throws {
        #expect(try ReportCommand.times("now", before: .seconds(9), of: "--until") == .seconds(9) ... .seconds(9))
    }

    @Test(arguments: ["1969-12-31", "1969-12-31T23:59:59Z", "0001-01-01", "30000d", "22000d"])
    func `a time before 1970 is refused with that reason`(text: String) {
        let error = #expect(throws: StartupError.self) {
            try ReportCommand.times(text, before: .seconds(1_795_183_339), of: "--since")
        }
        #expect(error?.lines.count == 1)
        #expect(error?.lines.first?.hasPrefix("--since \(text): before 1970 – such as 24h") == true)
    }

    @Test func `the first hours of 1970 in local time are a date`() throws {
        let times = try ReportCommand.times("1970-01-01", before: .seconds(1_795_183_339), of: "--since", zone: berlin)
        #expect(times.lowerBound == .seconds(-3_600))
        #expect(throws: StartupError.self) { try ReportCommand.times("70-01-01", before: .seconds(9), of: "--since") }
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
        let times = try ReportCommand.times(text, before: now, of: "--since", zone: berlin)
        #expect(times == .seconds(expected) ... .seconds(expected))
    }

    /// Summer time ends on 25 October 2026 at 01:00 UTC in Berlin, and on 1 November at 05:00 UTC in Havana, at midnight.
    private static let autumn = [
        "Berlin": ZoneOffsets(.seconds(7_200), changes: [.init(at: .seconds(1_792_890_000), to: .seconds(3_600))]),
        "Havana": ZoneOffsets(.seconds(-14_400), changes: [.init(at: .seconds(1_793_509_200), to: .seconds(-18_000))]),
    ]

    @Test(arguments: [
        ("Berlin", "2026-10-25T02:30", 1_792_888_200, 1_792_891_800),
        ("Berlin", "2026-10-25T00:30Z", 1_792_888_200, nil), ("Berlin", "2026-10-25T03:00", 1_792_893_600, nil),
        ("Havana", "2026-11-01T00:30", 1_793_507_400, 1_793_511_000),
        // A day begins with its first midnight.
        ("Havana", "2026-11-01", 1_793_505_600, nil), ("Havana", "today", 1_793_505_600, nil),
    ])
    func `a time of day that the clock shows twice begins a period with the first, and ends it with the second`(
        zone: String,
        text: String,
        first: Int,
        second: Int?
    ) throws {
        let zone = try #require(Self.autumn[zone])
        let now = Duration.seconds(1_793_550_000)
        let times = try ReportCommand.times(text, before: now, of: "--until", zone: zone)
        #expect(times == .seconds(first) ... .seconds(second ?? first))
    }
}
