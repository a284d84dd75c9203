import Foundation
import TestSupport
import Testing

@testable import ReachKit

/// Errors of files that are sent and files that are written.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) final class FileBodyTests: Sendable {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/reach-files-\(UInt32.random(in: .min ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a truncated file is reported, and not an older error`() async throws {
        let path = "\(folder)/data"
        try Data(repeating: 1, count: 1_000).write(to: URL(filePath: path))
        let file = try await BodyFile.open(path)
        #expect(truncate(path, 0) == 0)
        // Each call leaves its `errno` on a thread that the next one may use.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { _ = try? await BodyFile.open("/nowhere/data") } }
        }
        for _ in 0..<16 {
            let problem = await #expect(throws: Fetch.Error.self) { try await file.piece(at: 0) }
            #expect(problem == .file("\(path) has become shorter"))
        }
    }

    @Test func `named pipes without a writer block nothing, and can be cancelled`() async throws {
        let pipe = "\(folder)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let opening = (0..<64).map { _ in Task { try await BodyFile.open(pipe) } }
        // More pipes than threads for blocking calls.
        let path = "\(folder)/data"
        try Data("fine".utf8).write(to: URL(filePath: path))
        for _ in 0..<16 { #expect(try await BodyFile.open(path).length == 4) }
        for task in opening { task.cancel() }
        for task in opening { await #expect(throws: Fetch.Error.cancelled) { try await task.value } }
    }

    @Test func `a named pipe is read to its end, whenever its writer comes`() async throws {
        let pipe = "\(folder)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let opening = Task { try await BodyFile.open(pipe) }
        let long = Data(repeating: 7, count: 200_000)
        // Opening a pipe to write waits for its reader.
        Thread.detachNewThread { try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: long) }
        let file = try await opening.value
        #expect(file.length == 200_000)
        #expect(try await file.piece(at: 199_999) == [7])
        #expect(try await file.piece(at: 0).count == BodyFile.pieceLength)
    }

    @Test func `a device is an error, unless it is empty`() async throws {
        let problem = await #expect(throws: Fetch.Error.self) { try await BodyFile.open("/dev/zero") }
        #expect(problem == .file("/dev/zero is a device – name a file or a pipe"))
        #expect(try await BodyFile.open("/dev/null").length == 0)
    }

    @Test func `a discarded file cannot begin again`() async throws {
        let sink = FileSink("\(folder)/file")
        try await sink.begin(with: nil)
        sink.discard()
        await #expect(throws: Fetch.Error.self) { try await sink.begin(with: nil) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
