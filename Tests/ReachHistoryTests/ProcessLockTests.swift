import Foundation
import ReachSystem
import Testing

@testable import ReachHistory

/// A lock that processes of all users compete for.
@Suite struct ProcessLockTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    private var path: String { ProcessLock.path(of: "hooks", for: "dashboard.toml", in: folder.path) }

    @Test func `one has the lock, and names its process`() throws {
        var first: ProcessLock? = try ProcessLock(at: path, isShared: true)
        let taken = ProcessLock.Refusal.taken(by: getpid())
        #expect(throws: taken) { try ProcessLock(at: path, isShared: true) }
        #expect(ProcessLock.refusal(at: path) == taken && first?.isInPlace == true)
        first = nil
        #expect(ProcessLock.refusal(at: path) == nil && !FileManager.default.fileExists(atPath: path))
        _ = try ProcessLock(at: path, isShared: true)
    }

    @Test func `all users can lock the file, and the file of an ended process`() throws {
        let lock = try ProcessLock(at: path, isShared: true)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o666 && lock.isInPlace)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        let other = ProcessLock.path(of: "hooks", for: "other.toml", in: folder.path)
        try Data("99999999".utf8).write(to: URL(filePath: other))
        _ = try ProcessLock(at: other, isShared: true)
    }

    @Test func `a removed file is not in place`() throws {
        let lock = try ProcessLock(at: path, isShared: true)
        unlink(path)
        #expect(!lock.isInPlace)
        let second = try ProcessLock(at: path, isShared: true)
        #expect(second.isInPlace)
    }

    @Test func `a link to another file is refused, and the file stays as it is`() throws {
        let file = "\(folder.path)/file"
        try Data("text".utf8).write(to: URL(filePath: file))
        #expect(link(file, path) == 0)
        #expect(throws: ProcessLock.Refusal.failed(errno: EMLINK)) { try ProcessLock(at: path, isShared: true) }
        unlink(path)
        #expect(symlink(file, path) == 0)
        #expect(throws: ProcessLock.Refusal.failed(errno: ELOOP)) { try ProcessLock(at: path, isShared: true) }
        #expect(FileManager.default.contents(atPath: file) == Data("text".utf8))
    }

    @Test func `a folder that does not exist is the reason`() {
        let refusal = ProcessLock.Refusal.failed(errno: ENOENT)
        #expect(throws: refusal) { try ProcessLock(at: "\(folder.path)/none/lock", isShared: true) }
    }
}
