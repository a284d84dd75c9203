import GRDB

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
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_FORMAT,
            .SQLITE_TOOBIG, .SQLITE_RANGE:
            self.init(.damaged, "\(path) is damaged: \(text) – move it away")
        default:
            self.init(.other, "\(path): \(text) – check the disk")
        }
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
