import Foundation

/// A temporary directory for the files of a test, removed with the last reference.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "hooks-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in the directory.
    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file, and optionally makes it executable.
    func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
        try text.write(toFile: file(name), atomically: true, encoding: .utf8)
        let permissions = isExecutable ? 0o755 : 0o644
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file(name))
    }

    /// Returns the lines of a file; empty if it does not exist.
    func lines(of name: String) -> [String] {
        guard let text = try? String(contentsOfFile: file(name), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until a file has the expected number of process identifiers, and returns them.
    func numbers(in name: String, count: Int) async throws -> [Int32] {
        for _ in 0..<2_000 {
            let numbers = lines(of: name).compactMap { Int32($0) }
            if numbers.count >= count { return numbers }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw CocoaError(.fileReadNoSuchFile)
    }
}

/// Returns whether a process exists and has not ended; a zombie has ended.
func isRunning(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return false }
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status?.contains(") Z ") != true
}
