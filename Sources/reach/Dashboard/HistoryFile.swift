import Dashboard
import Foundation

/// The lines that were entered at prompts, kept for the next run in a file that the user alone can read: `reach/history`
/// in `$XDG_STATE_HOME`, or else in `~/.local/state` (https://specifications.freedesktop.org/basedir-spec/).
///
/// Nobody is told when that does not work: the lines of this run are at hand all the same.
struct HistoryFile: Sendable {
    /// More than all lines together can take, at four bytes a character.
    private static let mostBytes = 1 << 20

    let path: String
    private let folder: String

    /// Finds the place; nil where there is none, or where it is somebody else's, such as the home that sudo leaves in root's
    /// environment.
    init?(environment: [String: String]) {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
        guard let base = state ?? home else { return nil }
        folder = "\(base)/reach"
        path = "\(folder)/history"
        guard Self.isOwn(folder) else { return nil }
    }

    /// What was kept, the newest last.
    var lines: [PastLine] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        // Its folder is the user's own: nobody else puts another file there meanwhile.
        guard let file = try? FileManager.default.attributesOfItem(atPath: path),
            file[.type] as? FileAttributeType == .typeRegular, Self.isOwned(file), let size = file[.size] as? NSNumber
        else { return [] }
        var bytes = [UInt8](repeating: 0, count: min(size.intValue, Self.mostBytes))
        let count = read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard words.count == 2, let purpose = PastLine.Purpose(rawValue: String(decoding: words[0], as: UTF8.self))
            else { return nil }
            return PastLine(purpose, String(decoding: words[1], as: UTF8.self))
        }
    }

    /// Keeps a line, with those that others have kept meanwhile. Whoever reads finds the old file or the new one, whole.
    func add(_ line: PastLine) {
        var lines = lines.filter { $0 != line } + [line]
        while let first = lines.first(where: { old in
            lines.count { $0.purpose == old.purpose } > PastLine.capacity
        }) {
            lines.removeAll { $0 == first }
        }
        guard makeFolder() else { return }
        let new = "\(path).\(getpid())"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let isWritten = writeAll(lines.map { "\($0.purpose.rawValue) \($0.text)\n" }.joined(), to: descriptor)
        close(descriptor)
        if !isWritten || rename(new, path) != 0 { unlink(new) }
    }

    /// Makes the folder, and those above it that are missing, for the user alone.
    private func makeFolder() -> Bool {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            guard mkdir(path, 0o700) == 0 || errno == EEXIST || access(path, X_OK) == 0 else { return false }
        }
        return true
    }

    /// Whether a folder, or where it does not exist the nearest one above it that does, belongs to the user.
    private static func isOwn(_ folder: String) -> Bool {
        var path = folder[...]
        while access(path.isEmpty ? "/" : String(path), F_OK) != 0 {
            guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return false }
            path = path[..<slash]
        }
        // Only a folder has itself in it, and what is asked for then is the folder, wherever a link to it lies.
        return (try? FileManager.default.attributesOfItem(atPath: "\(path)/.")).map(isOwned) ?? false
    }

    /// By Foundation, since in a module that uses it too the compiler is of two minds about whose structure `stat` is.
    private static func isOwned(_ attributes: [FileAttributeKey: Any]) -> Bool {
        (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
    }
}
