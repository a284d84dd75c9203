import Foundation
import ReachDashboard
import ReachHistory
import ReachReporting
import ReachScreen
import TestSupport
import Testing

@testable import ReachMonitoring
@testable import reach

/// Files about an incident: what is written, what is shown of it, and what is refused.
@Suite(.serialized) final class IncidentTests: Sendable {
    private let folder: String
    /// 20 November 2026, 14:00 UTC.
    let noon = Duration.seconds(1_795_183_200)
    private let names = ["NAS", "Router", "Shop"]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "incident-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    var targets: [Target] {
        names.enumerated().map { index, name in
            var target = Target(name: name, question: .tcp(host: "192.0.2.\(index + 1)", port: 445))
            target.group = name == "Shop" ? "Cloud" : "Home"
            return target
        }
    }

    private func database(_ records: [StoredRecord], _ name: String = "history") throws -> HistoryDatabase {
        let database = try HistoryDatabase(path: "\(folder)/\(name).sqlite", for: .write)
        var rest = records[...]
        _ = try database.add { rest.popFirst() }
        return database
    }

    private func text(_ database: HistoryDatabase, names: [String] = [], at time: Duration? = nil) throws -> String {
        try IncidentText(
            of: database,
            targets,
            Redaction(),
            names: names,
            at: time ?? noon,
            before: .seconds(3_600),
            after: .seconds(3_600),
            now: noon + .seconds(86_400),
            zone: ZoneOffsets(.seconds(3_600))
        ).lines
    }

    private func write(_ text: String, _ name: String = "incident.jsonl") throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private let capabilities = TerminalCapabilities(
        ascii: false,
        noColor: false,
        theme: nil,
        environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
    )
    private let size = Size(columns: 110, rows: 36)

    /// The screen of the program that wrote the history, at a past time.
    private func original(_ database: HistoryDatabase, _ file: IncidentFile, keys: [Key]) -> String {
        var model = Model(
            source: file.name,
            size: size,
            glyphs: capabilities.glyphs,
            wall: WallTime(start: noon + .seconds(3_601), zone: ZoneOffsets(.seconds(3_600)))
        )
        _ = model.update(Event(.settings(Settings(targets: targets.map(\.withPath))), at: .zero))
        let clock = HistoryWriter.Time(start: { [noon] in noon + .seconds(3_601) }, now: { .zero })
        let goes: [Key] = [.character(":")] + "15:00".map { Key.character($0) } + [.enter]
        press(goes + keys, in: &model) {
            HistoryReader.read($0, path: database.path, time: clock, redaction: Redaction())
        }
        return model.draw().text
    }

    private func opened(_ file: IncidentFile, keys: [Key]) -> String {
        var model = file.model(size: size, capabilities: capabilities)
        press(keys, in: &model) { file.answer($0) }
        return model.draw().text
    }

    /// Presses keys, and answers the requests to the history.
    private func press(_ keys: [Key], in model: inout Model, _ answer: (HistoryRequest) -> HistoryAnswer) {
        var events =
            keys.map { Event.Kind.key($0) } + [
                .tick(WallTime(start: noon + .seconds(3_601), zone: ZoneOffsets(.seconds(3_600))))
            ]
        while !events.isEmpty {
            let (effects, rest) = model.update(Event(events.removeFirst(), at: .zero))
            if !rest.isEmpty { events.insert(.keys(rest), at: 0) }
            for case .readHistory(let request) in effects {
                events.insert(.history(answer(request), ZoneOffsets(.seconds(3_600))), at: 0)
            }
        }
    }

    @Test(
        arguments: [
            [], [.enter], [.character("2")], [.character("e")], [.character("p")], [.character("6")],
            [.character("h")],
        ] as [[Key]]
    )
    func `on another machine, the screen is the same`(keys: [Key]) throws {
        let database = try database(records())
        let file = try IncidentFile(path: try write(try text(database)))
        let expected = original(database, file, keys: keys)
        let found = opened(file, keys: keys)
        // The frozen screen of a running program can be left, and the history has probes of more time than the file, which are in
        // the last column of the details.
        let hasTotals = keys == [.enter]
        let shown = { (screen: String) in
            screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).map {
                hasTotals ? $0.prefix(98) : $0
            }
        }
        let different = zip(shown(found), shown(expected)).filter { $0 != $1 }.map { "\($0)\n\($1)" }
        #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
        #expect(found.contains("FROZEN"))
    }

    @Test func `the screen has the outage, its reason, the acknowledgement, and the figures`() throws {
        let file = try IncidentFile(path: try write(try text(try database(records()))))
        let screen = opened(file, keys: [])
        #expect(screen.contains("incident.jsonl") && screen.contains("FROZEN 15:00:00"))
        #expect(screen.contains("down  refused"))
        #expect(screen.contains("12ms"))
        #expect(screen.contains("page me"))
    }

    @Test func `nothing of a file can be changed, and it ends where it ends`() throws {
        let file = try IncidentFile(path: try write(try text(try database(records()))))
        for key in ["f", " ", "r", "a", "E", "D", "x", "A", "W"] as [Character] {
            #expect(opened(file, keys: [.character(key)]).contains("nothing can be changed"), "\(key)")
        }
        #expect(opened(file, keys: [.escape, .escape]).contains("FROZEN 15:00:00"))
        let later = [Key](repeating: .character("}"), count: 15)
        #expect(opened(file, keys: later).contains("the file ends here"))
        let earlier = [Key](repeating: .character("{"), count: 15)
        #expect(opened(file, keys: earlier).contains("the file begins here"))
    }

    @Test func `minutes are those of the targets that were not up, or that are named`() throws {
        let database = try database(records())
        let count = { (text: String, id: Int) in
            text.split(separator: "\n").count { $0.contains("\"minute\"") && $0.contains("\"of\":\(id),") }
        }
        let automatic = try text(database)
        #expect(count(automatic, 1) == 120 && count(automatic, 3) == 9)
        let named = try text(database, names: ["Shop"])
        #expect(count(named, 1) == 9 && count(named, 3) == 120)
        #expect(throws: StartupError.self) { try text(database, names: ["Shopp"]) }
    }

    @Test func `a time outside of the history is refused with what it has`() throws {
        let database = try database(records())
        let error = #expect(throws: StartupError.self) { try text(database, at: noon - .seconds(86_400)) }
        #expect(error?.lines.first?.hasPrefix("--at: the history has nothing of ") == true)
        #expect(error?.lines.first?.contains("it has 2026-11-20 ") == true)
    }

    @Test func `the state is that of the time, also between several outages`() throws {
        var records = records()
        // The router was down for the first ten seconds of each minute, from an hour before to an hour after.
        for minute in -60..<60 {
            let start = noon + .seconds(minute * 60)
            let down = HistoryEvent(.transition, at: start, from: .up, to: .down, reason: "timeout")
            let up = HistoryEvent(.transition, at: start + .seconds(10), from: .down, to: .up, length: .seconds(10))
            records += [.event(down, target: 2, run: 1), .event(up, target: 2, run: 1)]
        }
        let database = try database(records)
        for (second, health) in [(5, Health.down), (15, .up), (605, .down), (-595, .down), (-585, .up)] {
            let text = try text(database, at: noon + .seconds(second))
            let lines = text.split(separator: "\n")
            #expect(Set(lines).count == lines.count)
            let file = try IncidentFile(path: try write(text))
            let router = try #require(file.comparison.first { $0.name == "Router" })
            #expect(router.health == health, "\(second)")
        }
    }

    @Test func `the response of a server and the output of a hook are in the file`() throws {
        var records = records()
        let down = HistoryEvent(
            .transition,
            at: noon - .seconds(30),
            from: .up,
            to: .down,
            reason: "http_status",
            detail: "HTTP 503",
            output: "HTTP/1.1 503 Service Unavailable\n\nback at noon"
        )
        let hook = HistoryEvent(
            .hook,
            at: noon - .seconds(20),
            reason: "down",
            detail: "page me exited 0 in 0.1s",
            output: "paged",
            isSuccess: true
        )
        records += [.event(down, target: 2, run: 1), .event(hook, target: 2, run: 1)]
        let file = try IncidentFile(path: try write(try text(try database(records))))
        let newest = opened(file, keys: [.character("e")])
        #expect(newest.contains("paged") && !newest.contains("back at noon"))
        #expect(opened(file, keys: [.character("e"), .down]).contains("back at noon"))
    }

    @Test func `output beyond two hundred kilobytes is that of the events around the time`() throws {
        var records = records()
        let output = String(repeating: "x", count: 1_900)
        for second in -500..<500 {
            let time = noon + .seconds(second)
            let hook = HistoryEvent(.hook, at: time, detail: "page \(second) exited 0", output: output, isSuccess: true)
            records.append(.event(hook, target: 2, run: 1))
        }
        let text = try text(try database(records))
        #expect(text.utf8.count < 1_000_000)
        let seconds = text.split(separator: "\n").filter { $0.contains(output) }.compactMap { line in
            line.firstMatch(of: /page (-?\d+) exited/).flatMap { Int($0.1) }
        }
        #expect(seconds.count == 105 && seconds.allSatisfy { abs($0) < 60 })
    }

    @Test func `of many events, those around the time are in the file`() throws {
        var records = records()
        for second in -3_000..<3_000 {
            let event = HistoryEvent(.address, at: noon + .seconds(second), detail: "192.0.2.\(second & 255), was x")
            records.append(.event(event, target: 3, run: 1))
        }
        let text = try text(try database(records))
        let file = try IncidentFile(path: try write(text))
        #expect(file.range.contains(noon - .seconds(1_400)) && !file.range.contains(noon - .seconds(1_600)))
        #expect(file.range.contains(noon + .seconds(900)) && !file.range.contains(noon + .seconds(1_100)))
        #expect(text.utf8.count < 1_000_000)
    }

    @Test func `three hundred targets take less than a megabyte`() throws {
        var records = records()
        for id in 4...300 as ClosedRange<Int64> {
            records.insert(.target(id: id, name: "host-\(id)", url: "icmp://192.0.2.\(id)", group: "Hall"), at: 0)
            let change = HistoryEvent(.transition, at: noon - .seconds(14_000), from: .unknown, to: .up)
            records.append(.event(change, target: id, run: 1))
            let down = HistoryEvent(.transition, at: noon - .seconds(300), from: .up, to: .down, reason: "timeout")
            records.append(.event(down, target: id, run: 1))
            for minute in 0..<120 {
                let number = (noon - .seconds(3_600)).components.seconds / 60 + Int64(minute)
                records.append(.minute(ProbeFigures(sent: 60, lost: 0), target: id, number: number))
            }
        }
        let database = try database(records)
        let text = try IncidentText(
            of: database,
            [],
            Redaction(),
            names: [],
            at: noon,
            before: .seconds(3_600),
            after: .seconds(3_600),
            now: noon + .seconds(86_400),
            zone: ZoneOffsets(.zero)
        )
        #expect(text.lines.utf8.count < 1_000_000)
        #expect(text.summary.hasPrefix("300 targets, "))
    }

    // MARK: Wrong files

    @Test func `files that are none, of another format, truncated or hostile are refused with one line`() throws {
        let good = try text(try database(records()))
        let lines = good.split(separator: "\n").map(String.init)
        func refusal(_ text: String) throws -> String {
            let path = try write(text, "wrong.jsonl")
            let error = #expect(throws: StartupError.self) { try IncidentFile(path: path) }
            #expect(error?.lines.count == 1)
            return String((error?.lines.first ?? "").dropFirst(folder.count + 1))
        }
        let other = lines[0].replacing("\"version\":1", with: "\"version\":7")
        #expect(try refusal(other + "\n").contains("wrong.jsonl: format 7, and this reach reads format 1"))
        #expect(try refusal("").contains("not a file about an incident"))
        #expect(try refusal("{}\n").contains("not a file about an incident"))
        #expect(try refusal("\u{1B}]0;x\u{7}\n").contains("not a file about an incident"))
        #expect(try refusal(lines[0]).contains("truncated: 0 of \(lines.count - 1) records"))
        // Also at the end of a line.
        for count in [2, 5, lines.count - 1] {
            #expect(
                try refusal(lines.prefix(count).joined(separator: "\n") + "\n").contains("truncated: \(count - 1) of ")
            )
        }
        #expect(try refusal(lines[0] + "\n" + lines[1].dropLast(9)).contains("wrong.jsonl:2: not a record"))
        let reversed = [lines[0]] + lines.dropFirst().reversed()
        #expect(try refusal(reversed.joined(separator: "\n")).contains("damaged: records are missing"))
        let long = lines[0] + "\n" + String(repeating: "x", count: 17 << 20)
        #expect(try refusal(long).contains("longer than 16 MiB"))
        let many = [lines[0]] + [String](repeating: lines[1], count: 260_000)
        #expect(try refusal(many.joined(separator: "\n")).contains("more than 250000 records"))
        let early = lines[0].replacing("\"time\":\"2026", with: "\"time\":\"2020")
        #expect(try refusal(early + "\n" + lines[1]).contains("invalid times"))
    }

    @Test func `a large file, a folder and a missing one are refused`() throws {
        let path = try write("x", "large.jsonl")
        #expect(truncate(path, 5 << 30) == 0)
        let error = #expect(throws: StartupError.self) { try IncidentFile(path: path) }
        #expect(error?.lines.first?.contains("larger than 64 MiB") == true)
        #expect(throws: StartupError.self) { try IncidentFile(path: folder) }
        #expect(throws: StartupError.self) { try IncidentFile(path: "\(folder)/none") }
    }

    @Test func `names with escapes and paths are shown and nothing more`() throws {
        let good = try text(try database(records()))
        #expect(good.contains("\"records\":"))
        let hostile = good.replacing("\"Router\"", with: "\"../../\\u001b[2Jx\"")
        let file = try IncidentFile(path: try write(hostile))
        let screen = opened(file, keys: [])
        #expect(!screen.contains("\u{1B}") && screen.contains("../../"))
        let folder = URL(filePath: file.history).deletingLastPathComponent().path
        #expect(FileManager.default.fileExists(atPath: folder))
    }

    @Test func `the temporary history is removed with the file`() throws {
        var file: IncidentFile? = try IncidentFile(path: try write(try text(try database(records()))))
        let history = file?.history ?? ""
        #expect(FileManager.default.fileExists(atPath: history))
        file = nil
        #expect(!FileManager.default.fileExists(atPath: URL(filePath: history).deletingLastPathComponent().path))
    }

    // MARK: Comparisons

    @Test func `a comparison says what is worse`() throws {
        let before = try IncidentFile(
            path: try write(try text(try database(records(), "a"), at: noon - .seconds(1_200)), "before.jsonl")
        )
        let after = try IncidentFile(path: try write(try text(try database(records(median: 38), "b")), "after.jsonl"))
        let differences = MomentDifference.all(from: before.comparison, to: after.comparison)
        #expect(differences.map(\.name) == ["NAS", "Shop"])
        #expect(differences.map(\.change) == [.down, .slower])
        #expect(differences[0].text == "down: refused, was up")
        #expect(differences[1].text == "median 38ms, was 12ms")
        #expect(MomentDifference.all(from: before.comparison, to: before.comparison).isEmpty)
        let back = MomentDifference.all(from: after.comparison, to: before.comparison)
        #expect(back.map(\.change) == [.up, .faster] && !back.contains { $0.change.isWorse })
    }
}
