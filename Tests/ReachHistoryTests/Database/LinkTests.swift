import Foundation
import ReachHistory
import ReachMonitoring
import TestSupport
import Testing

/// Symbolic links in the path of a history.
@Suite(.serialized, .live) struct LinkTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    private func link(_ path: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: destination)
    }

    private func failure(_ path: String, for access: HistoryDatabase.Access = .read) -> HistoryFailure? {
        #expect(throws: HistoryFailure.self) { try HistoryDatabase(path: path, for: access) }
    }

    private static let fix = "restore it, or replace the link"

    @Test func `a link to a file that does not exist is named`() throws {
        try link(folder.file, to: "/nonexistent/h.sqlite")
        let expected =
            "history: \(folder.file) is a symbolic link to /nonexistent/h.sqlite, which does not exist – \(Self.fix)"
        #expect(failure(folder.file)?.description == expected)
    }

    @Test func `a link to itself is named`() throws {
        try link(folder.file, to: "history.sqlite")
        let expected =
            "history: \(folder.file) is a symbolic link to history.sqlite, which leads back to it – \(Self.fix)"
        #expect(failure(folder.file)?.description == expected)
    }

    @Test func `a folder that is a link to nothing is named, when reading and when writing`() async throws {
        let state = "\(folder.path)/reach"
        try link(state, to: "nothing")
        let expected = "history: \(state) is a symbolic link to nothing, which does not exist – \(Self.fix)"
        let file = "\(state)/history.sqlite"
        #expect(failure(file)?.description == expected)
        #expect(failure(file, for: .write)?.description == expected)
        let writer = HistoryWriter(
            HistoryWriter.Job(path: file, source: "a.toml", version: "1.0"),
            settings: HistorySettings(),
            time: folder.time
        )
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        await writer.close()
        #expect(await writer.messages.reduce(into: []) { $0.append($1.text) } == [expected])
    }

    @Test func `a missing file, and a link to a history, are as before`() async throws {
        let missing = "\(folder.path)/missing.sqlite"
        let text = "\(missing) does not exist – reach and reach watch write it while they run"
        #expect(failure(missing)?.description == "history: \(text)")
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        await writer.close()
        try link("\(folder.path)/link.sqlite", to: "history.sqlite")
        #expect(try HistoryDatabase(path: "\(folder.path)/link.sqlite", for: .read).summary().targets == 1)
    }
}
