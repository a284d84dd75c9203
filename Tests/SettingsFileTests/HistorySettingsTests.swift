import Monitoring
import SettingsFile
import Testing

struct HistorySettingsTests {
    private func settings(_ text: String) throws -> Settings {
        try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: text)
    }

    private func problems(_ text: String) -> [String] {
        do throws(SettingsFailure) {
            _ = try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: text)
            return []
        } catch {
            return error.lines
        }
    }

    private static let target = "[[target]]\nname = \"Storage\"\nurl = \"nas.local:445\"\n"

    @Test func `by default, a history is kept`() throws {
        let stored = try settings(Self.target).stored
        #expect(stored == HistorySettings() && stored.isOn)
        #expect(stored.minutes == .seconds(30 * 86_400) && stored.events == .seconds(730 * 86_400))
    }

    @Test func `the history is switched off by a text, and its spans are keys of a table`() throws {
        #expect(try !settings("history = \"off\"\n\(Self.target)").stored.isOn)
        #expect(try settings("history = \"on\"\n\(Self.target)").stored.isOn)
        let stored = try settings("[history]\nevents = \"365d\"\nminutes = \"7d\"\nhours = \"90d\"\n\(Self.target)")
            .stored
        let days = [stored.events, stored.minutes, stored.hours].map { ($0 / .seconds(86_400)).rounded() }
        #expect(days == [365, 7, 90])
    }

    @Test func `a target has its former name`() throws {
        let targets = try settings("\(Self.target)formerly = \"NAS\"\n").targets
        #expect(targets.map(\.formerly) == ["NAS"])
    }

    @Test(arguments: [
        ("history = \"offf\"", "1:11: history: unknown history \"offf\" – did you mean \"off\"?"),
        ("[history]\nminutes = \"1h\"", "2:11: history.minutes: \"1h\" is too short"),
        ("[history]\nminute = \"30d\"", "2:1: history: unknown key \"minute\" – did you mean \"minutes\"?"),
        ("[history]\nfile = \"x\"", "2:1: history: unknown key \"file\" – the file is always"),
    ])
    func `problems are reported with their position`(text: String, problem: String) {
        let lines = problems("\(text)\n\(Self.target)")
        #expect(lines.count == 1 && lines[0].hasPrefix("dashboard.toml:\(problem)"), "\(lines)")
    }
}
