import Foundation
import GRDB
import ReachMonitoring
import Testing

@testable import ReachHistory

/// `reach history --forget`.
@Suite(.serialized) struct ForgettingTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    private func database() throws -> HistoryDatabase { try HistoryDatabase(path: folder.file, for: .write) }

    private func row(_ name: String) throws -> TargetRow {
        try #require(try database().targets(named: name, orURL: "").first)
    }

    /// All that is stored, without a target, as lines.
    private func lines(without name: String = "") throws -> [String] {
        var lines: [String] = []
        var number: Int64?
        try database().export { record in
            switch record {
            case .target(let id, let other, _, _) where other == name: number = id
            case .event(_, let target, _) where target != nil && target == number: break
            case .minute(_, let target, _) where target == number: break
            case .hour(_, let target, _) where target == number: break
            default: lines.append("\(record)")
            }
        }
        return lines
    }

    @Test func `all that is stored of a target is removed, and nothing else`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS", "NSA", "Box"], folder, writer)
        for _ in 0..<3 {
            for name in ["NAS", "NSA", "Box"] { recorded.probe(name, .replies(50) + .losses(5) + .replies(300)) }
        }
        writer.flush()
        for name in ["NAS", "NSA", "Box"] { recorded.probe(name, .replies(90)) }
        await writer.close()
        let (forgotten, kept) = (try row("NSA"), try lines(without: "NSA"))
        let samples = try samples()
        #expect(samples[forgotten.id] != nil && samples.count == 3)
        #expect(try folder.number("SELECT count(*) FROM snapshot") ?? 0 > 0)

        let removed = try database().forget(forgotten)
        // The first verdict, and three outages with their recoveries.
        #expect(removed.events == 7)
        #expect(try lines() == kept)
        #expect(try self.samples() == samples.filter { $0.key != forgotten.id })
        #expect(try database().targets().map(\.name) == ["Box", "NAS"])
        for table in ["event", "minutes", "hours"] {
            #expect(try folder.number("SELECT count(*) FROM \(table) WHERE target = \(forgotten.id)") == 0, "\(table)")
        }
    }

    /// The times of the samples in the file, by target.
    private func samples() throws -> [Int64: [Duration]] {
        var all: [Int64: [Duration]] = [:]
        for row in try folder.rows("SELECT time, blocks FROM samples ORDER BY id") {
            for (target, samples) in SampleBlocks.samples(in: row.bytes(1), after: row.duration(0) ?? .zero) {
                all[target, default: []] += samples.map(\.time)
            }
        }
        return all
    }

    @Test func `while a process probes a target, it is occupied, and after its removal it is not`() async throws {
        let writer = folder.writer("/etc/a.toml")
        var recorded = RecordedRoster(["NAS", "NSA"], folder, writer)
        for name in ["NAS", "NSA"] { recorded.probe(name, .replies(3)) }
        writer.flush()
        let expected = HistoryDatabase.Occupation(process: getpid(), source: "/etc/a.toml")
        #expect(try database().occupation(of: row("NSA")) == expected)
        recorded.apply(["NAS"])
        writer.flush()
        #expect(try database().occupation(of: row("NSA")) == nil)
        #expect(try database().occupation(of: row("NAS")) == expected)
        await writer.close()
        #expect(try database().occupation(of: row("NAS")) == nil)
    }

    @Test func `a target that is probed again after it was forgotten begins a new history`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS", "NSA"], folder, writer)
        for name in ["NAS", "NSA"] { recorded.probe(name, .replies(3)) }
        recorded.apply(["NAS"])
        writer.flush()
        _ = try database().forget(row("NSA"))
        recorded.apply(["NAS", "NSA"])
        recorded.probe("NSA", .replies(5))
        await writer.close()
        let number = try row("NSA").id
        let kinds = try folder.texts("SELECT kind FROM event WHERE target = \(number) ORDER BY id")
        #expect(kinds == ["added", "transition"])
    }
}
