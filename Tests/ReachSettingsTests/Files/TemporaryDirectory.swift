import Foundation

/// A temporary directory, removed with the last reference.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file, creates its parent directories, and returns its path.
    @discardableResult
    func write(_ content: Data, to name: String = "dashboard.toml", mode: Int = 0o644) throws -> String {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }

    /// Writes a text file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String = "dashboard.toml", mode: Int = 0o644) throws -> String {
        try write(Data(text.utf8), to: name, mode: mode)
    }
}
