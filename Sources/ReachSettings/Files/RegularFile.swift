import ReachSystem

/// The bytes of a regular file, with its owner and permissions.
struct RegularFile {
    /// Why a file cannot be read. The message follows the path of the file.
    struct Failure: Error, Hashable {
        let message: String
        /// The message without its fix, which is one for settings.
        var problem: Substring { message[..<(message.firstRange(of: " – ")?.lowerBound ?? message.endIndex)] }
        /// The fix, if there is one.
        var fix: String? { message.firstRange(of: " – ").map { String(message[$0.upperBound...]) } }
        /// Whether it is not a regular file of an accepted size.
        private(set) var isOtherKind = false
        /// Whether there is no such file.
        var isMissing = false

        init(_ message: String, isOtherKind: Bool = false) {
            (self.message, self.isOtherKind) = (message, isOtherKind)
        }

        /// The message for an error of `open`, `fstat` or `read`.
        init(errno code: Int32) {
            isMissing = code == ENOENT || code == ENOTDIR
            message =
                switch code {
                case ENOENT, ENOTDIR: "no such file – reach init FILE writes a sample"
                case EACCES, EPERM: "no permission to read it – chmod u+r, or run as its owner"
                case ELOOP: "symbolic link loop – name the file itself"
                default: SystemError(code).description
                }
        }
    }

    let bytes: [UInt8]
    /// Owner and permissions, read from the open file: its path may name another file a moment later.
    let ownership: Ownership

    /// Reads a file of at most `limit` bytes.
    init(path: String, limit: Int) throws(Failure) {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        defer { close(descriptor) }

        guard let status = stat(of: descriptor) else { throw Failure(errno: errno) }
        guard !status.isFolder else { throw Failure("a directory – name the file in it") }
        guard status.isRegular else {
            throw Failure("not a regular file – name a text file with [[target]] tables", isOtherKind: true)
        }
        guard status.st_size <= limit else { throw Failure.tooLarge(limit: limit) }
        ownership = Ownership(status)

        do throws(SystemError) {
            bytes = try readAll(from: descriptor, limit: limit + 1)
        } catch {
            throw Failure(errno: error.code)
        }
        // The file may have grown while it was read.
        guard bytes.count <= limit else { throw Failure.tooLarge(limit: limit) }
    }
}

extension RegularFile {
    /// The bytes as text; nil if they are not UTF-8.
    var text: String? { String(validating: bytes, as: UTF8.self) }

    /// The line of the first byte that is not UTF-8.
    var firstInvalidLine: Int {
        var decoder = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var count = 0
        while case .valid(let scalar) = decoder.parseScalar(from: &iterator) { count += scalar.count }
        return 1 + bytes.prefix(count).count { $0 == UInt8(ascii: "\n") }
    }
}

extension RegularFile.Failure {
    fileprivate static func tooLarge(limit: Int) -> Self {
        let size = limit < 1_048_576 ? "\(limit / 1_024) KiB" : "\(limit / 1_048_576) MiB"
        return Self("larger than \(size) – settings are a small text file", isOtherKind: true)
    }
}
