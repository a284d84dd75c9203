import LibC

/// A file that is sent, from its first byte at every try. It is closed with the last reference.
///
/// What can be read only once – a pipe, a terminal – is first written to a temporary file without a name.
public final class BodyFile: Sendable {
    /// How much of it is in memory at a time.
    static let pieceLength = 65_536

    /// How many bytes are sent.
    public let length: Int64
    private let descriptor: Int32
    private let start: Int64
    private let name: String

    /// Opens a file, and reads it where that can be done only once.
    ///
    /// - Parameter path: `-` is standard input.
    public static func open(_ path: String) async throws(FileProblem) -> BodyFile {
        try await blocking {
            Result { () throws(FileProblem) in try BodyFile(path) }
        }
    }

    private init(_ path: String) throws(FileProblem) {
        name = path == "-" ? "standard input" : path
        let opened = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : openToRead(path)
        guard opened >= 0 else { throw FileProblem("read", name, errno: errno) }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let code = errno
            close(opened)
            throw FileProblem("read", name, errno: code)
        }
        if status.st_mode & S_IFMT == S_IFREG {
            descriptor = opened
            start = max(0, Int64(lseek(opened, 0, SEEK_CUR)))
            length = max(0, Int64(status.st_size) - start)
        } else {
            defer { close(opened) }
            descriptor = try Self.spool(opened, name)
            start = 0
            length = Int64(lseek(descriptor, 0, SEEK_END))
        }
    }

    deinit {
        close(descriptor)
    }

    /// What stands at an offset from the beginning; nothing after the end.
    func piece(at offset: Int64) async throws(FileProblem) -> [UInt8] {
        let count = Int(min(Int64(Self.pieceLength), length - offset))
        guard count > 0 else { return [] }
        return try await blocking { [self] in
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let received = pread(descriptor, buffer.baseAddress, count, off_t(start + offset))
                // At the end of the file there is no error, and `errno` is an older one's.
                code = received < 0 ? errno : 0
                filled = max(0, received)
            }
            guard bytes.isEmpty else { return .success(bytes) }
            return .failure(
                code == 0 ? FileProblem("\(name) has become shorter") : FileProblem("read", name, errno: code)
            )
        }
    }

    /// Writes all that comes into a file that nobody else can open, and that is gone when it is closed.
    private static func spool(_ source: Int32, _ name: String) throws(FileProblem) -> Int32 {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/reach-XXXXXX".utf8CString)
        let spool = mkstemp(&template)
        guard spool >= 0 else { throw FileProblem("write a temporary file in", folder, errno: errno) }
        unlink(template)
        var buffer = [UInt8](repeating: 0, count: pieceLength)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count == 0 { return spool }
            do throws(FileProblem) {
                if count < 0, errno != EINTR { throw FileProblem("read", name, errno: errno) }
                if count > 0 { try writeWhole(buffer[..<count], to: spool, named: folder) }
            } catch {
                close(spool)
                throw error
            }
        }
    }
}

/// `open`, by a name that the type's own function of that name does not hide.
private func openToRead(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_CLOEXEC)
}
