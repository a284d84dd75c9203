import Foundation
import GRDB
import ReachSystem

/// Why the history cannot be read or written.
package struct HistoryFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, which decides what the writer does.
    package enum Kind: Sendable, Hashable {
        /// Another process has locked the file.
        case locked
        /// The disk is full.
        case full
        /// This user may not write the file or its folder, or the disk is read-only.
        case denied
        /// The file is damaged, or is not a history of reach.
        case damaged
        /// SQLite rejects a statement: an error of reach, not of the file.
        case rejected
        /// A newer version of reach has written the file.
        case newer
        /// There is no file.
        case missing
        /// Another error of the system.
        case other
    }

    package let kind: Kind
    /// The problem and its fix, without the path.
    let message: String

    /// The problem, with its fix.
    package var description: String { "history: \(message)" }

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The failure of an error of the file at a path.
    init(_ error: any Error, path: String) {
        if let failure = error as? HistoryFailure {
            self = failure
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.other, "\(path): \(error)")
            return
        }
        let text = error.message ?? "error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            self.init(.locked, "\(path) is locked by another process – end that process, or wait for it")
        case .SQLITE_FULL:
            self.init(.full, "\(path): the disk is full – free some space, or shorten [history] in the settings")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            let fix = "let this user write it and its folder, or switch it off with --no-history"
            self.init(.denied, "cannot write \(path): \(text) – \(fix)")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.damaged, "\(path) is damaged: \(text) – move it away")
        case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE, .SQLITE_INTERNAL,
            .SQLITE_SCHEMA, .SQLITE_MISUSE, .SQLITE_NOTFOUND:
            let problem = "an error of reach, the file is not damaged: \(text)"
            self.init(.rejected, "\(path): \(problem) – update reach, or report this message to its developers")
        case .SQLITE_NOMEM:
            self.init(.other, "\(path): \(text) – free some memory")
        case .SQLITE_IOERR where Self.isAtSizeLimit(path):
            self = .cannotWrite(path, errno: EFBIG)
        default:
            self.init(.other, "\(path): \(text) – check the disk")
        }
    }

    /// The failure to read a file, by the error of the system.
    static func cannotRead(_ path: String, errno code: Int32) -> HistoryFailure {
        if let failure = brokenLink(in: path) { return failure }
        guard ![ENOENT, ENOTDIR].contains(code) else { return missing(path: path) }
        return HistoryFailure(
            .denied,
            "cannot read \(path): \(SystemError(code)) – let this user read it and its folder"
        )
    }

    /// The failure of a path that leads through a symbolic link to nothing, or to itself; nil if it does not.
    private static func brokenLink(in path: String) -> HistoryFailure? {
        var part = ""
        for name in path.split(separator: "/") {
            part += "/\(name)"
            guard stat(at: part) == nil else { continue }
            let code = errno
            guard [ENOENT, ELOOP].contains(code),
                let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: part)
            else { return nil }
            let problem = code == ELOOP ? "which leads back to it" : "which does not exist"
            let fix = "restore it, or replace the link"
            return HistoryFailure(.missing, "\(part) is a symbolic link to \(destination), \(problem) – \(fix)")
        }
        return nil
    }

    /// The failure to write in a folder, by the error of the system.
    package static func cannotWrite(inFolder folder: String, errno code: Int32) -> HistoryFailure {
        brokenLink(in: folder) ?? cannotWrite("in \(folder)", errno: code)
    }

    /// The failure to write a file or folder, by the error of the system.
    static func cannotWrite(_ path: String, errno code: Int32) -> HistoryFailure {
        if code == ENOENT, let failure = brokenLink(in: path) { return failure }
        let (problem, fix) =
            switch code {
            case ENOSPC, EDQUOT: ("the disk is full", "free some space")
            case EFBIG: ("the file size limit is reached", "raise it (ulimit -f)")
            case ELOOP: ("it is a symbolic link", "replace it by a file")
            case EROFS: ("the file system is read-only", "set XDG_STATE_HOME to a folder on another one")
            default: (SystemError(code).description, "let this user write it and its folder")
            }
        let kind: Kind = [ENOSPC, EDQUOT, EFBIG].contains(code) ? .full : .denied
        return HistoryFailure(
            kind,
            "cannot write \(path): \(problem) – \(fix), or switch the history off with --no-history"
        )
    }

    /// Whether the file, or one that SQLite has beside it, has nearly the largest size that this process may write.
    private static func isAtSizeLimit(_ path: String) -> Bool {
        guard let limit = LimitedResource.fileSize.limit else { return false }
        return ["", "-wal", "-shm"].contains { suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
            // A file grows by at most 32 KiB at a time.
            return ((attributes?[.size] as? NSNumber)?.uint64Value ?? 0) + 32_768 >= limit
        }
    }

    /// The failure of a file without the schema of its version.
    static func schemaLacks(_ part: String, path: String) -> HistoryFailure {
        HistoryFailure(.damaged, "\(path) is not a history of reach: it has no \(part) – move it away")
    }

    /// The failure of a folder, pipe or device in place of a file.
    static func irregular(path: String) -> HistoryFailure {
        HistoryFailure(.denied, "\(path) is not a regular file – move it away")
    }

    /// The failure of a file without a record.
    static func empty(path: String) -> HistoryFailure {
        HistoryFailure(.missing, "\(path) has no history yet – reach and reach watch write it while they run")
    }

    /// The failure of a file that a newer version of the program wrote.
    static func newer(path: String) -> HistoryFailure {
        HistoryFailure(.newer, "\(path) is from a newer version of reach – update reach, or move the file away")
    }

    /// The failure of a file that does not exist.
    static func missing(path: String) -> HistoryFailure {
        HistoryFailure(.missing, "\(path) does not exist – reach and reach watch write it while they run")
    }
}
