import Foundation
import ReachDashboard
import ReachMonitoring
import ReachSettings
import Testing

@testable import reach

/// The targets of sources in the settings of a command.
struct DiscoveryTests {
    private let folder: String
    private var config: String { "\(folder)/dashboard.toml" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "discovery-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Writes settings with a target, a list of two in a file, and a list of a server.
    private func writeSettings() throws {
        let list = #"[{"targets": ["a:1"], "labels": {"job": "web"}}, {"targets": ["b:1"], "labels": {"job": "db"}}]"#
        try write(list, to: "list.json")
        let settings = """
            [[target]]
            name = "Own"
            url = "icmp://192.0.2.1"
            [[source]]
            file = "list.json"
            [[source]]
            http = "http://127.0.0.1:9/"
            """
        try write(settings, to: "dashboard.toml")
    }

    private func source(
        _ arguments: [String] = [],
        interval: Duration? = nil,
        isContinuous: Bool = true,
        shard: String? = nil
    ) throws -> TargetSource {
        try TargetSource(
            arguments: arguments,
            config: config,
            environment: [:],
            overrides: .init(interval: interval, hasIntervals: isContinuous, shard: try shard.map { try Shard($0) })
        )
    }

    private func record(_ addresses: [String], in settings: Settings, of source: TargetSource) throws {
        var list = DiscoveryList()
        try list.add(addresses, labels: ["job": "web"])
        let discovery = try #require(settings.sources.last)
        source.lists.keep(only: settings.sources)
        _ = source.lists.record(.success(list), of: discovery, at: .seconds(1))
    }

    @Test func `lists in files are there from the start, and the others follow with the options of the command line`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writeSettings()
        let source = try source(interval: .seconds(7))
        let settings = try source.settings()
        #expect(settings.targets.map(\.name) == ["Own", "a:1", "b:1"])
        try record(["c:1", "a:1"], in: settings, of: source)
        let updated = source.updated(settings).settings
        #expect(updated.targets.map(\.name) == ["Own", "a:1", "b:1", "c:1"])
        #expect(updated.targets.allSatisfy { $0.interval == .seconds(7) })
        // A reload keeps the lists that it does not read by itself.
        #expect(try source.settings().targets.map(\.name) == ["Own", "a:1", "b:1", "c:1"])
    }

    @Test func `a new list changes the targets of its source only`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writeSettings()
        let source = try source()
        let settings = try source.settings()
        // Both lists were read before the report of the second one is handled.
        try write(#"[{"targets": ["a:1", "n:1", "m:1"]}]"#, to: "list.json")
        let files = try #require(settings.sources.first)
        source.lists.keep(only: settings.sources)
        _ = source.lists.record(try #require(ListFiles(files)).result, of: files, at: .seconds(1))
        try record(["c:1"], in: settings, of: source)
        let first = source.updated(settings, with: [settings.sources[1]]).settings
        #expect(TargetDifference(settings.targets, first.targets).summary == "1 added")
        let second = source.updated(first, with: [files]).settings
        #expect(TargetDifference(first.targets, second.targets).summary == "2 added, 1 removed, 1 changed")
    }

    @Test func `a list that was read while its source was removed does not come back`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writeSettings()
        let source = try source()
        let removed = try #require(try source.settings().sources.first)
        source.lists.keep(only: [])
        let list = try #require(ListFiles(removed)).result
        #expect(source.lists.record(list, of: removed, at: .seconds(1)) == nil)
        #expect(source.lists.state(of: removed).list == nil && source.lists.useAll().isEmpty)
    }

    @Test func `what cannot be used of lists is reported, and a list without any target is a problem`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writeSettings()
        try write(#"[{"targets": ["nope://a", "b:1"]}]"#, to: "list.json")
        let unread = ["source x: HTTP 503"]
        var used = try ListedSettings(of: source(isContinuous: false), unread: unread, SharedRedaction())
        #expect(used.problems == unread && used.settings.targets.map(\.name) == ["Own", "b:1"])
        let note = "source list.json: 1 of 2 targets left out, the first: "
        #expect(used.notes.count == 1 && used.notes[0].hasPrefix(note))
        try write(#"[{"targets": ["nope://a", "nope://b"]}]"#, to: "list.json")
        used = try ListedSettings(of: source(isContinuous: false), unread: [], SharedRedaction())
        #expect(used.problems.count == 1 && used.problems[0].hasPrefix("source list.json: 2 of 2 targets left out"))
        #expect(used.notes == [])
        let error = #expect(throws: StartupError.self) {
            try ListedSettings(of: source(["@c:1"], isContinuous: false), unread: unread, SharedRedaction())
        }
        #expect(error?.lines == ["source x: HTTP 503", "no target \"c:1\" in the settings"])
    }

    @Test func `a group selects targets of lists, also of those that are read later`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writeSettings()
        let source = try source(["@group:web", "@later", "192.0.2.7"])
        let settings = try source.settings()
        #expect(settings.targets.map(\.name) == ["a:1", "192.0.2.7"])
        try record(["c:1", "later"], in: settings, of: source)
        #expect(source.updated(settings).settings.targets.map(\.name) == ["a:1", "c:1", "later", "192.0.2.7"])
        // A command that probes a fixed set of targets needs each of them.
        let problems = #expect(throws: StartupError.self) {
            try self.source(["@later"], isContinuous: false).settings()
        }
        #expect(problems?.lines == ["no target \"later\" in the settings"])
    }

    @Test func `the shards of one list are disjoint, and complete`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writeSettings()
        let shares = try (1...3).map { number in
            let source = try source(shard: "\(number)/3")
            let settings = try source.settings()
            try record((1...20).map { "h\($0):1" }, in: settings, of: source)
            return source.updated(settings).settings.targets.map(\.name)
        }
        #expect(shares.flatMap(\.self).sorted() == (["Own", "a:1", "b:1"] + (1...20).map { "h\($0):1" }).sorted())
    }

    @Test func `an edit on the screen keeps the targets of lists, and refuses to change them`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writeSettings()
        let source = try source()
        let store = SettingsStore(source: source)
        let document = try #require(try source.load().document)
        let edit = SettingsEdit.add([.url: "icmp://192.0.2.2"], below: "a:1")
        guard case .made(_, let edited, let settings) = try store.perform(.make(edit, in: document)) else {
            Issue.record("not made")
            return
        }
        #expect(settings.targets.map(\.name) == ["Own", "192.0.2.2", "a:1", "b:1"])
        #expect(edited.text.contains("[[source]]"))
        guard case .refused(let reason) = try store.perform(.make(.remove("a:1"), in: document)) else {
            Issue.record("not refused")
            return
        }
        #expect(reason == "no target \"a:1\" in the file – targets of a [[source]] are changed in its list")
    }

    @Test func `validation reads lists in files, and counts what it leaves out`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try writeSettings()
        func validation() throws -> SettingsReport { try SettingsFile(path: config).validate(environment: [:]) }
        let valid = try validation()
        #expect(valid.settings?.targets.count == 3 && valid.notFetched == ["http://127.0.0.1:9/"])
        try write(#"[{"targets": ["a:1", "nope://b"]}]"#, to: "list.json")
        let odd = try validation()
        #expect(odd.problems.isEmpty && odd.warnings.count == 1)
        let warning = try #require(odd.warnings.first).description
        #expect(warning.hasPrefix("\(config): source \"list.json\": warning: 1 of 2 targets left out"))
        try write("{}", to: "list.json")
        let broken = try validation()
        #expect(broken.settings == nil && broken.problems.count == 1)
    }
}
