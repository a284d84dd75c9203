import Foundation

/// A folder of a test's own, removed with the last reference. Others may read it, which some tests need.
final class Scratch: Sendable {
    let path: String

    /// Makes the folder; its path is short, since sockets live in it.
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

    /// The path of a file in it.
    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file that the user alone may change, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(Data(text.utf8), to: name, mode: mode)
    }

    /// Writes a file that the user alone may change, and returns its path.
    @discardableResult
    func write(_ bytes: Data, to name: String, mode: Int = 0o600) throws -> String {
        let path = file(name)
        // Replaced in one step: a program that reads it again never sees half of it.
        try bytes.write(to: URL(filePath: path + ".new"))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + ".new")
        guard rename(path + ".new", path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    /// Starts a program in the folder, which writes into the files `out` and `err`.
    func start(_ words: [String], environment: [String: String] = [:]) throws -> Child {
        try Child(
            words,
            in: path,
            environment: environment,
            streams: .files(output: file("out"), errors: file("err"))
        )
    }

    /// The text of a file; empty if there is none.
    func text(of name: String) -> String {
        guard let bytes = FileManager.default.contents(atPath: file(name)) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The whole lines of a file; none if there is no such file.
    func lines(of name: String) -> [String] {
        text(of: name).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// The number that a script leaves in a file, once it is there.
    func number(in name: String) async throws -> Int32 {
        try await eventually("a number in \(name)") {
            lines(of: name).first.flatMap { Int32($0) }
        }
    }
}
