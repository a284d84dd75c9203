import Foundation
import ReachHistory
import ReachSystem
import TestSupport
import Testing

/// Disks that are full or read-only, as small file systems in memory.
@Suite(.serialized, .live, .enabled(if: getuid() == 0, "mounting needs root")) struct DiskTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    private func mount(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/mount")
        process.arguments = arguments + [folder.path]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func unmount() {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/umount")
        process.arguments = ["-l", folder.path]
        try? process.run()
        process.waitUntilExit()
    }

    @Test func `a full disk is reported once, and writing resumes when there is space`() async throws {
        guard mount("-t", "tmpfs", "-o", "size=1m", "tmpfs") else { return withKnownIssue { Issue.record("no tmpfs") } }
        defer { unmount() }
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        let ballast = "\(folder.path)/ballast"
        try? Data(count: 1 << 20).write(to: URL(filePath: ballast))
        let handle = try FileHandle(forWritingTo: URL(filePath: ballast))
        while (try? handle.write(contentsOf: Data(count: 512))) != nil {}
        try handle.close()
        // More than the room in the write-ahead log.
        for _ in 0..<40 { recorded.probe("NAS", .losses(3) + .replies(1)) }
        for _ in 0..<200 {
            recorded.probe("NAS", .losses(3) + .replies(1))
            folder.advance(by: .seconds(2))
            writer.flush()
        }
        try FileManager.default.removeItem(atPath: ballast)
        folder.advance(by: .seconds(2))
        writer.flush()
        #expect(try folder.number("SELECT count(*) FROM event WHERE kind = 'transition'") == 481)
        await writer.close()
        let texts = await writer.messages.reduce(into: []) { $0.append($1.text) }
        #expect(texts.first?.contains("the disk is full – free some space") == true)
        #expect(texts.last == "history: written again" && texts.count <= 4)
        #expect(try folder.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `a read-only folder is reported once, and writing resumes when it can be written`() async throws {
        guard mount("-t", "tmpfs", "tmpfs") else { return withKnownIssue { Issue.record("no tmpfs") } }
        defer { unmount() }
        guard mount("-o", "remount,ro") else { return withKnownIssue { Issue.record("no remount") } }
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1) + .losses(3))
        for _ in 0..<3 {
            folder.advance(by: .seconds(2))
            writer.flush()
        }
        #expect(mount("-o", "remount,rw"))
        folder.advance(by: .seconds(2))
        writer.flush()
        #expect(try folder.number("SELECT count(*) FROM event WHERE kind = 'transition'") == 2)
        await writer.close()
        let texts = await writer.messages.reduce(into: []) { $0.append($1.text) }
        #expect(texts.count == 2 && texts.last == "history: written again")
        #expect(texts.first?.contains("switch the history off with --no-history") == true)
    }
}
