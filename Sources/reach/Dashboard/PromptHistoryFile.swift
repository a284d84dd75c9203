import Foundation
import ReachDashboard
import ReachSystem

/// The file of lines that were entered at prompts, kept for the next run. Only the user can read it: `history` in the
/// ``StateFolder``.
///
/// Errors are not reported, since the lines of the current run are available in any case. Reading and writing may block.
struct PromptHistoryFile: Sendable {
    /// The maximum size to read: more than all lines take at four bytes per character.
    private static let maxBytes = 1 << 20

    let path: String
    private let folder: StateFolder

    /// Locates the file; nil if there is no ``StateFolder``.
    init?(environment: [String: String]) {
        guard let folder = StateFolder(environment: environment) else { return nil }
        self.folder = folder
        path = "\(folder.path)/history"
    }

    /// The saved lines, the newest last.
    var lines: [EnteredLine] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        // The folder belongs to the user, so that other users cannot replace the file between open and check.
        guard let file = try? FileManager.default.attributesOfItem(atPath: path),
            file[.type] as? FileAttributeType == .typeRegular, StateFolder.isOwned(file)
        else { return [] }
        let bytes = (try? readAll(from: descriptor, limit: Self.maxBytes)) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard words.count == 2,
                let purpose = EnteredLine.Purpose(rawValue: String(decoding: words[0], as: UTF8.self))
            else { return nil }
            return EnteredLine(purpose, String(decoding: words[1], as: UTF8.self))
        }
    }

    /// Adds a line to the file, with the lines that other processes have added. The file is replaced atomically.
    func add(_ line: EnteredLine) {
        var counts: [EnteredLine.Purpose: Int] = [:]
        let newest = (lines.filter { $0 != line } + [line]).reversed().filter { line in
            counts[line.purpose, default: 0] += 1
            return counts[line.purpose, default: 0] <= EnteredLine.capacity
        }
        guard folder.create() else { return }
        let new = "\(path).\(getpid())"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let text = newest.reversed().map { "\($0.purpose.rawValue) \($0.text)\n" }.joined()
        guard (try? writeAll(text, to: descriptor)) != nil, rename(new, path) == 0 else {
            unlink(new)
            return
        }
    }
}
