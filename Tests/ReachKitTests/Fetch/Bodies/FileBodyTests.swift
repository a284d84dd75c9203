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

    @Test func `a discarded file cannot begin again`() async throws {
        let sink = FileSink("\(folder)/file")
        try await sink.begin(with: nil)
        sink.discard()
        await #expect(throws: Fetch.Error.self) { try await sink.begin(with: nil) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
}
