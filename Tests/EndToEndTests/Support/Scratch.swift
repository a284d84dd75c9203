import Foundation
import Synchronization

/// A temporary folder. Releasing the last reference removes it. Other users may read it, which some tests need.
final class Scratch: Sendable {
    let path: String

    /// Creates the folder. Its path is short, since it holds Unix sockets.
    init() throws {
        path = "/tmp/reach-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, by default readable to the user only, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(Data(text.utf8), to: name, mode: mode)
    }

    /// Writes a file, by default readable to the user only, and returns its path.
    @discardableResult
    func write(_ bytes: Data, to name: String, mode: Int = 0o600) throws -> String {
        let path = file(name)
        // Replaces the file atomically: a program that reloads it never reads half of it.
        try Child.spawning.withLock { _ in try bytes.write(to: URL(filePath: path + ".new")) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + ".new")
        guard rename(path + ".new", path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    /// Starts a program in the folder, with its output in the files `out` and `err`.
    func start(_ words: [String], environment: [String: String] = [:]) throws -> Child {
        try Child(
            words,
            in: path,
            environment: environment,
            streams: .files(output: file("out"), errors: file("err"))
        )
    }

    /// The text of a file; empty if the file does not exist.
    func text(of name: String) -> String {
        guard let bytes = FileManager.default.contents(atPath: file(name)) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The complete lines of a file; empty if the file does not exist.
    func lines(of name: String) -> [String] {
        text(of: name).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits for a file that a script writes, and returns the number in it.
    func number(in name: String) async throws -> Int32 {
        try await eventually("a number in \(name)") {
            lines(of: name).first.flatMap { Int32($0) }
        }
    }
}
