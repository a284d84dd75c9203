import Foundation
import ReachBasics
import ReachSystem

/// A file that one process has locked. The system releases the lock when the process ends, however that happens.
package final class ProcessLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Why there is no lock.
    package enum Refusal: Error, Sendable, Hashable {
        /// The process with this number has it; nil if that is not known.
        case taken(by: Int32?)
        /// The file of the lock cannot be opened or locked, for this reason.
        case failed(errno: Int32)
    }

    /// The path of a lock.
    ///
    /// - Parameters:
    ///   - kind: What the lock is for, as part of the file's name: `history`.
    ///   - subject: What one process at a time does this for, such as a settings file.
    package static func path(of kind: String, for subject: String, in folder: String) -> String {
        // A hash, since a subject is too long for a name.
        let hash = StableHash.fnv1a(subject.utf8)
        return "\(folder)/\(kind)-\(String(hash, radix: 16)).lock"
    }

    /// Takes the lock of the history of a source. Makes the folder and its missing parents, with mode 700.
    ///
    /// - Parameters:
    ///   - source: the path of the settings file, or the arguments.
    ///   - folder: the folder of the history.
    convenience init(ofHistory source: String, in folder: String) throws(Refusal) {
        if let code = Self.create(folder) { throw .failed(errno: code) }
        try self.init(at: Self.path(of: "history", for: source, in: folder))
    }

    /// Takes a lock.
    ///
    /// - Parameter isShared: Whether processes of all users compete for it, in a folder that all can write.
    package init(at path: String, isShared: Bool = false) throws(Refusal) {
        self.path = path
        var file: Int32?
        // Again if another process has removed the file in between.
        while file == nil { file = try Self.lock(path, isShared: isShared) }
        descriptor = file ?? -1
        // For the message of another process.
        let text = Array("\(getpid())".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    deinit {
        // While it is locked: each set of targets of a command line has a file of its own.
        if isInPlace { unlink(path) }
        // Closing would keep the lock as long as a child process, between its fork and its exec, has the descriptor too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether the path is still the locked file, so that other processes find it locked.
    package var isInPlace: Bool { Self.isFile(descriptor, at: path) }

    /// Why another process could not take a lock now; nil if it could.
    package static func refusal(at path: String) -> Refusal? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return errno == ENOENT ? nil : .failed(errno: errno) }
        defer {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
        return refusal(of: descriptor, LOCK_SH)
    }

    /// Opens and locks a file.
    ///
    /// - Returns: The descriptor; nil if the path is no longer the locked file.
    private static func lock(_ path: String, isShared: Bool) throws(Refusal) -> Int32? {
        let descriptor = try isShared ? openShared(path) : open(path, openFlags | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw .failed(errno: errno) }
        if let refusal = refusal(of: descriptor, LOCK_EX) {
            close(descriptor)
            throw refusal
        }
        guard isFile(descriptor, at: path) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Locks an open file. Returns why that is not possible; nil on success.
    private static func refusal(of descriptor: Int32, _ kind: Int32) -> Refusal? {
        guard flock(descriptor, kind | LOCK_NB) != 0 else { return nil }
        guard errno == EWOULDBLOCK else { return .failed(errno: errno) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return .taken(by: Int32(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)))
    }

    private static let openFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// Opens a file that all users can lock, or creates it.
    private static func openShared(_ path: String) throws(Refusal) -> Int32 {
        for _ in 0..<100 {
            let descriptor = open(path, openFlags)
            if descriptor >= 0 {
                // Another user could have linked a file of this one here, which would be overwritten.
                if let file = stat(of: descriptor), file.isRegular, file.st_nlink == 1 {
                    return descriptor
                }
                close(descriptor)
                // Or the file is being created.
                usleep(1_000)
            } else if errno == ENOENT {
                try createShared(path)
            } else {
                throw .failed(errno: errno)
            }
        }
        throw .failed(errno: EMLINK)
    }

    /// Creates an empty file with mode 666 unless it exists. It gets its name last: with the mode that the umask leaves,
    /// another user could not open it.
    private static func createShared(_ path: String) throws(Refusal) {
        let new = "\(path).\(UInt32.random(in: .min ... .max))"
        let descriptor = open(new, openFlags | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw .failed(errno: errno) }
        defer {
            close(descriptor)
            unlink(new)
        }
        guard fchmod(descriptor, 0o666) == 0, link(new, path) == 0 || errno == EEXIST else {
            throw .failed(errno: errno)
        }
    }

    /// Whether the open file is the one at the path.
    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        FileNumber(of: descriptor).map { $0 == FileNumber(at: path) } ?? false
    }

    /// Creates a folder and its missing parents. Returns the error of the system; nil on success.
    private static func create(_ folder: String) -> Int32? {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            guard mkdir(path, 0o700) != 0 else { continue }
            let code = errno
            guard code == EEXIST || access(path, X_OK) == 0 else { return code }
        }
        return nil
    }
}
