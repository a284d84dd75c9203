import Foundation
import LibC

/// The right to write the history of one source of targets. Only one process has it; the system returns it when the
/// process ends, however that happens.
final class WriterLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Why there is no right to write.
    enum Refusal: Error {
        /// The process with this number has it; nil if that is not known.
        case taken(by: Int32?)
        /// The file of the lock cannot be written, for this reason.
        case failed(errno: Int32)
    }

    /// Takes the lock of a source. Makes the folder and its missing parents, with mode 700.
    ///
    /// - Parameters:
    ///   - source: the path of the settings file, or the arguments.
    ///   - folder: the folder of the history.
    init(of source: String, in folder: String) throws(Refusal) {
        if let code = Self.create(folder) { throw .failed(errno: code) }
        path = "\(folder)/history-\(Self.hash(of: source)).lock"
        var file: Int32?
        // Again if another process has removed the file in between.
        while file == nil { file = try Self.lock(path) }
        descriptor = file ?? -1
        // For the message of another process.
        let text = Array("\(getpid())".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    deinit {
        // While it is locked: each set of targets of a command line has a file of its own.
        if Self.isFile(descriptor, at: path) { unlink(path) }
        // Closing would keep the lock as long as a child process, between its fork and its exec, has the descriptor too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Opens and locks a file.
    ///
    /// - Returns: The descriptor; nil if the path is no longer the locked file.
    private static func lock(_ path: String) throws(Refusal) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed(errno: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            defer { close(descriptor) }
            guard code == EWOULDBLOCK else { throw .failed(errno: code) }
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = read(descriptor, &bytes, bytes.count)
            throw .taken(by: Int32(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)))
        }
        guard isFile(descriptor, at: path) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Whether the open file is the one at the path.
    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (open, present) = (stat(), stat())
        return fstat(descriptor, &open) == 0 && stat(path, &present) == 0 && open.st_dev == present.st_dev
            && open.st_ino == present.st_ino
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

    /// The FNV-1a hash, since a path is too long for a name.
    private static func hash(of text: String) -> String {
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
