import ArgumentParser
import Foundation
import History
import Monitoring
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
                try ReportCommand.chosen([name], from: database, renamed: ["NAS": Self.storage])
            }
            #expect(error?.lines == [problem])
        }
    }

    @Test func `a renamed target has the records of its name before, also before the next start`() throws {
        try withDatabase { database in
            let box = StoredTarget(name: "Box", url: Self.storage.url, group: "Lab", formerly: "Storage")
            let rows = try ReportCommand.chosen(["Box"], from: database, renamed: ["Storage": box])
            #expect(rows == [TargetRow(id: 1, name: "Box", url: Self.storage.url, group: "Lab")])
            // With another URL, its history is a new one.
            let moved = StoredTarget(name: "Box", url: "tcp://nas.local:22", formerly: "Storage")
            let error = #expect(throws: StartupError.self) {
                try ReportCommand.chosen(["Box"], from: database, renamed: ["Storage": moved])
            }
            let hint = "Storage, its name before, had another URL"
            #expect(error?.lines == [#"no target "Box" in the history – \#(hint)"#])
        }
    }

    @Test func `one format is enough`() {
        #expect(throws: (any Error).self) { try ReportCommand.parse(["--format", "html", "--format", "json"]) }
        #expect(throws: Never.self) { try ReportCommand.parse(["--format", "html", "-c", "dashboard.toml"]) }
    }

    private static let storage = StoredTarget(name: "Storage", url: "tcp://nas.local:445", formerly: "NAS")

    private func withDatabase(_ body: (HistoryDatabase) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).sqlite").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let database = try HistoryDatabase(path: path, for: .write)
        var records: [StoredRecord] = [.target(id: 1, name: "Storage", url: "tcp://nas.local:445", group: "Home")]
        _ = try database.add { records.popLast() }
        try body(database)
    }
}
