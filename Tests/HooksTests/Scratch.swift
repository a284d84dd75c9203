import Foundation

/// A folder of its own for a test's marks on disk, removed with the last reference.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "hooks-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, executable if asked for.
    func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
        try text.write(toFile: file(name), atomically: true, encoding: .utf8)
        let permissions = isExecutable ? 0o755 : 0o644
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file(name))
    }

    /// The lines of a file; none if there is no such file.
    func lines(of name: String) -> [String] {
        guard let text = try? String(contentsOfFile: file(name), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// The numbers in a file once there are as many as expected: the process identifiers that a command writes down.
    func numbers(in name: String, count: Int) async throws -> [Int32] {
        for _ in 0..<2_000 {
            let numbers = lines(of: name).compactMap { Int32($0) }
            if numbers.count >= count { return numbers }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw CocoaError(.fileReadNoSuchFile)
    }
}
