import Monitoring
import Testing

@testable import SettingsFile
@testable import reach

/// The last line of `reach validate`.
struct ValidationSummaryTests {
    @Test(arguments: [
        ("[[target]]\nurl = \"a\"", "ok: 1 target, 0 hooks"),
        (
            "[[prometheus]]\nurl = \"http://p\"\nwhen_reachable = \"cheer\"",
            "ok: 0 targets, 1 Prometheus server, 1 hook"
        ),
        (
            "[module.http]\nmethod = \"http\"\n[module.tcp]\nmethod = \"tcp\"",
            "ok: 0 targets, 2 modules, 0 hooks"
        ),
    ])
    func `everything that is used is counted`(text: String, summary: String) throws {
        let reader = SettingsReader(file: "dashboard.toml", environment: [:], mayLackTargets: true)
        let report = SettingsReport(settings: try reader.settings(from: text), problems: [], warnings: [], unset: [])
        #expect(ValidateCommand.summary(of: SettingsValidation(report, file: "dashboard.toml")) == summary)
    }
}
