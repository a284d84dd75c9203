import ReachSystem

/// Why a file was not written. The old file stays as it is.
package enum WriteFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is not as it was last read.
    case changed
    /// The reason, and the fix if there is a likely one.
    case failed(String)

    /// The reason in one line.
    package var description: String {
        switch self {
        case .changed: "the file has changed on disk"
        case .failed(let reason): reason
        }
    }

    init(errno code: Int32, folder: String) {
        self =
            switch code {
            case EACCES, EPERM:
                .failed("no permission to write in \(folder == "." ? "this folder" : folder)".onOneLine)
            case EROFS: .failed("the file system is read-only – choose another folder")
            case ENOENT: .failed("folder not found – mkdir -p \(folder.shellWord)".onOneLine)
            case ENOTDIR: .failed("a part of the path is not a folder")
            case EEXIST: .failed("already exists, not overwritten – choose another name, or move the file away")
            case ENOSPC: .failed("the disk is full")
            case EDQUOT: .failed("the disk quota is used up")
            case EFBIG: .failed("the file would exceed the file size limit")
            default: .failed(SystemError(code).description)
            }
    }
}

/// How a file compares with a text that was read from it.
package enum FileComparison: Sendable, Hashable {
    /// It has the text.
    case same
    /// It has another text, or cannot be read.
    case changed
    /// It has nothing but white space.
    case empty
    /// There is no such file.
    case missing
}

extension SettingsFile {
    /// Compares the file with a text.
    package func compared(with text: String) -> FileComparison {
        guard stat(at: path) != nil else { return errno == ENOENT ? .missing : .changed }
        guard let content = try? RegularFile(path: path, limit: Self.limit) else { return .changed }
        if content.bytes.elementsEqual(text.utf8) { return .same }
        return content.isBlank ? .empty : .changed
    }

    /// Replaces a file that has nothing but white space, like ``replace(_:with:)``.
    package func replaceEmpty(with new: String) throws(WriteFailure) {
        guard let content = try? RegularFile(path: path, limit: Self.limit), content.isBlank else { throw .changed }
        try replace(String(decoding: content.bytes, as: UTF8.self), with: new)
    }

    /// Replaces the text of the file at once: a reader sees the old text or the new one. The new file has the mode and owner
    /// of the old one. A symbolic link stays, and the file that it points to is replaced.
    ///
    /// - Parameter old: The text that the file was last seen with. Another one is not overwritten.
    package func replace(_ old: String, with new: String) throws(WriteFailure) {
        guard let file = path.resolvedPath else { throw .changed }
        let status = try status(of: file, with: old)
        guard access(file, W_OK) == 0 else {
            throw errno == EROFS
                ? WriteFailure(errno: errno, folder: file.parentPath)
                : .failed("no permission to write it – chmod u+w, or run reach as its owner")
        }
        let temporary = try TemporaryFile(beside: file)
        do throws(WriteFailure) {
            try temporary.write(new)
            try temporary.adopt(status)
            // Another program may have written the file meanwhile.
            guard try self.status(of: file, with: old).isSameFile(as: status) else { throw .changed }
            try temporary.rename(to: file)
        } catch {
            temporary.remove()
            throw error
        }
    }

    /// The permission bits of the file; nil if there is none.
    package var mode: UInt32? {
        stat(at: path).map { UInt32($0.st_mode) & 0o777 }
    }

    /// Creates the file. An existing file is not overwritten.
    ///
    /// - Parameter mode: the permission bits; nil for 600, since settings may have commands and secrets.
    package func create(_ text: String, mode: UInt32? = nil) throws(WriteFailure) {
        let folder = path.parentPath
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw WriteFailure(errno: errno, folder: folder) }
        let file = TemporaryFile(path: path, descriptor: descriptor)
        do throws(WriteFailure) {
            try file.write(text)
            if let mode { try file.setMode(mode) }
            try file.close()
        } catch {
            file.remove()
            throw error
        }
        TemporaryFile.synchronize(folder: folder)
    }

    /// The status of the file, if it has this text.
    private func status(of file: String, with text: String) throws(WriteFailure) -> stat {
        guard let status = stat(at: file), status.st_size <= Self.limit else { throw .changed }
        let content: RegularFile
        do {
            content = try RegularFile(path: file, limit: Self.limit)
        } catch {
            throw .failed(error.message)
        }
        guard content.bytes.elementsEqual(text.utf8) else { throw .changed }
        return status
    }
}

extension stat {
    /// Whether this is the same file with the same owner and mode.
    fileprivate func isSameFile(as other: stat) -> Bool {
        FileNumber(self) == FileNumber(other) && st_mode == other.st_mode && st_uid == other.st_uid
            && st_gid == other.st_gid
    }
}

extension RegularFile {
    /// Whether there is nothing but white space.
    fileprivate var isBlank: Bool { bytes.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
}

/// A file that is being written, and then takes the place of another one.
private final class TemporaryFile {
    private let path: String
    private let descriptor: Int32
    private var isOpen = true

    init(path: String, descriptor: Int32) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    /// Creates a hidden file in the folder of another one.
    convenience init(beside file: String) throws(WriteFailure) {
        let folder = file.parentPath
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let path = "\(folder == "/" ? "" : folder)/.\(file.split(separator: "/").last ?? "").\(suffix)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw WriteFailure(errno: errno, folder: folder) }
        self.init(path: path, descriptor: descriptor)
    }

    private var folder: String { path.parentPath }

    func write(_ text: String) throws(WriteFailure) {
        do throws(SystemError) {
            try writeAll(text, to: descriptor)
        } catch {
            throw WriteFailure(errno: error.code, folder: folder)
        }
    }

    /// Gives the file the owner and mode of another one.
    func adopt(_ status: stat) throws(WriteFailure) {
        guard let own = stat(of: descriptor) else { throw WriteFailure(errno: errno, folder: folder) }
        if own.st_uid != status.st_uid || own.st_gid != status.st_gid {
            guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else {
                throw .failed("its owner or group cannot be kept – run reach as its owner")
            }
        }
        // After fchown, which may clear bits of the mode.
        try setMode(UInt32(status.st_mode) & 0o7777)
    }

    func setMode(_ mode: UInt32) throws(WriteFailure) {
        guard fchmod(descriptor, mode_t(mode)) == 0 else { throw WriteFailure(errno: errno, folder: folder) }
    }

    /// Moves the complete file over another one, so that it survives a loss of power.
    func rename(to file: String) throws(WriteFailure) {
        try close()
        guard ReachSystem.rename(path, file) == 0 else { throw WriteFailure(errno: errno, folder: folder) }
        Self.synchronize(folder: folder)
    }

    /// Writes the content to the disk and closes the file. Some file systems report a full disk only now.
    func close() throws(WriteFailure) {
        let isSynchronized = fsync(descriptor) == 0
        let code = errno
        isOpen = false
        let isClosed = ReachSystem.close(descriptor) == 0
        guard isSynchronized, isClosed else { throw WriteFailure(errno: isSynchronized ? errno : code, folder: folder) }
    }

    static func synchronize(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        ReachSystem.close(descriptor)
    }

    func remove() {
        if isOpen { ReachSystem.close(descriptor) }
        isOpen = false
        unlink(path)
    }
}
