import ReachMonitoring
import ReachSettings
import Testing

struct MaintenanceSettingsTests {
    private static let target =
        "[[target]]\nname = \"Storage\"\nurl = \"nas.local:445\"\ngroup = \"Home\"\ntags = [\"db\"]\n"

    private func settings(_ text: String) throws -> Settings {
        try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: "\(text)\n\(Self.target)")
    }

    private func problems(_ text: String) -> [String] {
        do throws(SettingsFailure) {
            _ = try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: "\(text)\n\(Self.target)")
            return []
        } catch {
            return error.lines
        }
    }

    private static func time(_ hours: Int, _ minutes: Int = 0) -> Duration {
        .seconds(hours * 3_600 + minutes * 60)
    }

    @Test func `without windows, there is no maintenance`() throws {
        #expect(try settings("").maintenance.isEmpty)
    }

    @Test func `a daily window has a start, an end and a selection`() throws {
        let text = """
            [[maintenance]]
            name = "Backups"
            start = "23:30"
            end = "01:15"
            zone = "UTC"
            targets = ["Storage"]
            groups = "Home"
            tags = ["db"]
            """
        let window = try #require(try settings(text).maintenance.first)
        #expect(window.name == "Backups")
        #expect(window.selection == .init(targets: ["Storage"], groups: ["Home"], tags: ["db"]))
        let days = Set(Weekday.allCases)
        #expect(
            window.schedule
                == .weekly(days, from: Self.time(23, 30), until: .time(Self.time(1, 15)), in: ZoneOffsets(.zero))
        )
    }

    @Test func `a weekly window follows the daylight saving time of its zone`() throws {
        let text = "[[maintenance]]\ndays = [\"sun\"]\nstart = \"01:00\"\nduration = \"2h\"\nzone = \"Europe/Berlin\""
        let window = try #require(try settings(text).maintenance.first)
        // Sundays in 2026: 22 March at UTC+1, 29 March with the change, 5 April at UTC+2.
        let sundays = [1_774_137_600, 1_774_742_400, 1_775_343_600].map { Duration.seconds($0) }
        #expect(window.nextStart(after: sundays[0] - .seconds(1)) == sundays[0])
        #expect(window.nextStart(after: sundays[0]) == sundays[1])
        #expect(window.nextStart(after: sundays[1]) == sundays[2])
    }

    @Test(arguments: [
        "\"2026-12-01T22:00\"", "\"2026-12-01 22:00:00\"", "2026-12-01T22:00:00", "\"2026-12-01T21:00Z\"",
        "2026-12-01T21:00:00Z",
    ])
    func `a window that takes place once is a text or a date of TOML`(from: String) throws {
        let text = "[[maintenance]]\nfrom = \(from)\nuntil = \"2026-12-02T02:00\"\nzone = \"Europe/Berlin\""
        let start = Duration.seconds(1_796_158_800)
        #expect(try settings(text).maintenance.map(\.schedule) == [.once(start..<start + Self.time(4))])
        let long = "[[maintenance]]\nfrom = \(from)\nduration = \"4h\"\nzone = \"Europe/Berlin\""
        #expect(try settings(long).maintenance.map(\.schedule) == [.once(start..<start + Self.time(4))])
    }

    /// Summer time ends in Berlin on 25 October 2026 at 01:00 UTC, when the clock shows 02:00 a second time. It begins on
    /// 29 March at 01:00 UTC: the clock skips 02:00 until 03:00.
    @Test(arguments: [
        ("2026-10-25T01:30", "2026-10-25T02:30", 1_792_884_600, 1_792_891_800),
        ("2026-10-25T02:30", "2026-10-25T04:00", 1_792_888_200, 1_792_897_200),
        ("2026-10-25T02:10", "2026-10-25T02:50", 1_792_887_000, 1_792_893_000),
        ("2026-10-25T00:10Z", "2026-10-25T00:50Z", 1_792_887_000, 1_792_889_400),
        ("2026-03-29T01:30", "2026-03-29T02:30", 1_774_744_200, 1_774_746_000),
        ("2026-03-29T02:30", "2026-03-29T04:00", 1_774_746_000, 1_774_749_600),
    ])
    func `a window that takes place once begins with the first of two times, and ends with the second`(
        from: String,
        until: String,
        start: Int,
        end: Int
    ) throws {
        let text = "[[maintenance]]\nfrom = \"\(from)\"\nuntil = \"\(until)\"\nzone = \"Europe/Berlin\""
        #expect(try settings(text).maintenance.map(\.schedule) == [.once(.seconds(start) ..< .seconds(end))])
    }

    @Test func `windows are in any of the tables of the file, and each is one`() throws {
        let one = "[[maintenance]]\nstart = \"01:00\"\nduration = \"10m\"\n"
        #expect(try settings("\(one)\(one)").maintenance.count == 2)
    }

    @Test(arguments: [
        ("start = \"02:00\"", "1:3: maintenance 1: \"end\" is missing – such as end = \"04:00\", or duration = \"2h\""),
        ("end = \"02:00\"", "1:3: maintenance 1: \"start\" or \"from\" is missing – such as start"),
        (
            "start = \"02:00\"\nend = \"02:00\"",
            "3:7: maintenance 1: end: the same as start – duration = \"24h\" for a whole day"
        ),
        (
            "start = \"24:00\"\nend = \"02:00\"",
            "2:9: maintenance 1: start: \"24:00\" is the end of a day – write \"00:00\""
        ),
        (
            "start = \"2:00\"\nend = \"04:00\"",
            "2:9: maintenance 1: start: invalid time of day \"2:00\" – did you mean \"02:00\"?"
        ),
        (
            "start = \"22\"\nend = \"04:00\"",
            "2:9: maintenance 1: start: invalid time of day \"22\" – did you mean \"22:00\"?"
        ),
        (
            "start = \"25:00\"\nend = \"04:00\"",
            "2:9: maintenance 1: start: invalid time of day \"25:00\" – such as \"22:00\""
        ),
        (
            "start = 2\nend = \"04:00\"",
            "2:9: maintenance 1: start: expected a string, found an integer – such as \"22:00\""
        ),
        (
            "start = \"02:00\"\nend = \"04:00\"\nduration = \"2h\"",
            "4:12: maintenance 1: duration: cannot be combined with end – remove one of the two"
        ),
        ("start = \"02:00\"\nduration = \"8d\"", "3:12: maintenance 1: duration: \"8d\" is too long – at most \"7d\""),
        (
            "start = \"02:00\"\nend = \"04:00\"\nuntil = \"2026-12-01T22:00\"",
            "4:9: maintenance 1: until: cannot be combined with start – write end, or from in place of start"
        ),
        (
            "days = [\"sat\", \"monday\"]\nstart = \"02:00\"\nduration = \"1h\"",
            "2:16: maintenance 1: days: unknown day \"monday\" – did you mean \"mon\"?"
        ),
        (
            "days = \"never\"\nstart = \"02:00\"\nduration = \"1h\"",
            "2:8: maintenance 1: days: unknown day \"never\" – one or more of mon, tue, wed, thu, fri, sat, sun"
        ),
        ("days = []\nstart = \"02:00\"\nduration = \"1h\"", "2:8: maintenance 1: days: no days – one or more of mon"),
        (
            "zone = \"Europe/Berln\"\nstart = \"02:00\"\nduration = \"1h\"",
            "2:8: maintenance 1: zone: unknown time zone \"Europe/Berln\" – did you mean \"Europe/Berlin\"?"
        ),
        (
            "zone = \"berlin\"\nstart = \"02:00\"\nduration = \"1h\"",
            "2:8: maintenance 1: zone: unknown time zone \"berlin\" – did you mean \"Europe/Berlin\"?"
        ),
        (
            "zone = \"Moon/Tycho Base\"\nstart = \"02:00\"\nduration = \"1h\"",
            "2:8: maintenance 1: zone: unknown time zone \"Moon/Tycho Base\" – such as \"Europe/Berlin\" or \"UTC\""
        ),
        (
            "from = \"2026-12-01T22:00\"\nuntil = \"2026-12-01T20:00\"",
            "3:9: maintenance 1: until: not after from – swap the two, or correct one"
        ),
        (
            "from = \"2026-03-29T02:10\"\nuntil = \"2026-03-29T02:50\"\nzone = \"Europe/Berlin\"",
            "3:9: maintenance 1: until: the clock skips this time, since daylight saving time begins – write a later time"
        ),
        ("from = \"2026-12-01T22:00\"", "1:3: maintenance 1: \"until\" is missing – such as until"),
        (
            "from = \"2026-12-01\"\nuntil = \"2026-12-01T20:00\"",
            "2:8: maintenance 1: from: invalid time \"2026-12-01\" – with a time of day, such as \"2026-12-01T22:00\""
        ),
        (
            "from = \"2026-02-29T22:00\"\nduration = \"1h\"",
            "2:8: maintenance 1: from: invalid time \"2026-02-29T22:00\" – such as"
        ),
        (
            "from = \"1969-12-31T22:00\"\nduration = \"1h\"",
            "2:8: maintenance 1: from: invalid time \"1969-12-31T22:00\" – a year from 2000 to 2099"
        ),
        (
            "from = \"2026-12-01T22:00\"\nduration = \"1h\"\ndays = \"sat\"",
            "4:8: maintenance 1: days: cannot be combined with from – a window with from takes place once: remove it"
        ),
        (
            "name = \"Work\"\nstart = \"02:00\"\nduration = \"1h\"\ntargets = [\"Storage\", \"Storag\"]",
            "5:23: maintenance \"Work\": targets: no target is \"Storag\" – did you mean \"Storage\"?"
        ),
        (
            "start = \"02:00\"\nduration = \"1h\"\ngroups = [\"Office\"]",
            "4:11: maintenance 1: groups: no target has the group \"Office\" – the name of a group, or remove it"
        ),
        (
            "start = \"02:00\"\nduration = \"1h\"\ntags = \"dbs\"",
            "4:8: maintenance 1: tags: no target has the tag \"dbs\" – did you mean \"db\"?"
        ),
        ("start = \"02:00\"\nduration = \"1h\"\ntags = []", "4:8: maintenance 1: tags: no names – remove it"),
        (
            "start = \"02:00\"\nduraton = \"1h\"\nend = \"04:00\"",
            "3:1: maintenance 1: unknown key \"duraton\" – did you mean \"duration\"?"
        ),
    ])
    func `each problem is reported with its position and its fix`(text: String, problem: String) {
        let lines = problems("[[maintenance]]\n\(text)")
        #expect(lines.count == 1 && lines[0].hasPrefix("dashboard.toml:\(problem)"), "\(lines)")
    }
}
