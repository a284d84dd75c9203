import LibC

/// The bytes of a regular file, and who may change them.
struct FileContent {
    /// Why a file cannot be read, as the rest of a line that begins with its path.
    struct Failure: Error, Hashable {
        let message: String

        init(_ message: String) {
            self.message = message
        }

        /// What the system says, for the calls that a settings file is read with.
        init(errno code: Int32) {
            message =
                switch code {
                case ENOENT, ENOTDIR: "no such file – reach init FILE writes one to start from"
                case EACCES, EPERM: "no permission to read it – chmod u+r, or run as its owner"
                case ELOOP: "a symbolic link that leads to itself"
                default: String(cString: strerror(code))
                }
        }
    }

    /// All bytes.
    let bytes: [UInt8]
    /// Who may change the file, asked of the open file: its path may lead elsewhere a moment later.
    let ownership: Ownership

    /// Reads a file of at most `limit` bytes.
    init(path: String, limit: Int) throws(Failure) {
        // Opening a pipe that nobody writes to would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(errno: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Failure("a directory – name the file in it")
        default: throw Failure("not a regular file – name a text file with [[target]] tables")
        }
        guard status.st_size <= limit else { throw Failure.tooLarge(limit: limit) }
        ownership = Ownership(status)

        var bytes: [UInt8] = []
        // The limit is watched here too: a file may grow while it is read.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(errno: errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= limit else { throw Failure.tooLarge(limit: limit) }
        self.bytes = bytes
    }
}

extension FileContent.Failure {
    fileprivate static func tooLarge(limit: Int) -> Self {
        Self("larger than \(limit / 1_048_576) MiB – settings are a small text file")
    }
}
