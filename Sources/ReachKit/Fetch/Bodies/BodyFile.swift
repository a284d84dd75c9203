import LibC

/// A file that is sent, from its first byte at every try. It is closed with the last reference.
///
/// What can be read only once – a pipe, a terminal – is first copied to a temporary file without a name.
final class BodyFile: Sendable {
    /// How much of it is in memory at a time.
    static let pieceLength = 65_536

    /// How many bytes are sent.
    let length: Int64
    private let descriptor: Int32
    private let start: Int64
    private let name: String

    /// Opens a file, and copies it where it can be read only once.
    ///
    /// - Parameter path: `-` is standard input.
    static func open(_ path: String) async throws(Fetch.Error) -> BodyFile {
        try await blocking { () throws(Fetch.Error) in try BodyFile(path) }
    }

    private init(_ path: String) throws(Fetch.Error) {
        name = path == "-" ? "standard input" : path
        let opened = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : openToRead(path)
        guard opened >= 0 else { throw Fetch.Error("read", name, errno: errno) }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let code = errno
            close(opened)
            throw Fetch.Error("read", name, errno: code)
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

    /// Reads a piece at an offset from the beginning; it is empty after the end.
    func piece(at offset: Int64) async throws(Fetch.Error) -> [UInt8] {
        let count = Int(min(Int64(Self.pieceLength), length - offset))
        guard count > 0 else { return [] }
        return try await blocking { [self] () throws(Fetch.Error) in
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let received = pread(descriptor, buffer.baseAddress, count, off_t(start + offset))
                // The end of the file is no error, and `errno` is that of an older call.
                code = received < 0 ? errno : 0
                filled = max(0, received)
            }
            guard bytes.isEmpty else { return bytes }
            throw code == 0 ? .file("\(name) has become shorter") : Fetch.Error("read", name, errno: code)
        }
    }

    /// Copies a pipe to an unlinked temporary file, which is removed when it is closed.
    private static func spool(_ source: Int32, _ name: String) throws(Fetch.Error) -> Int32 {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/reach-XXXXXX".utf8CString)
        let spool = mkstemp(&template)
        guard spool >= 0 else { throw Fetch.Error("write a temporary file in", folder, errno: errno) }
        unlink(template)
        var buffer = [UInt8](repeating: 0, count: pieceLength)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count == 0 { return spool }
            do throws(Fetch.Error) {
                if count < 0, errno != EINTR { throw Fetch.Error("read", name, errno: errno) }
                if count > 0 { try writeAll(buffer[..<count], to: spool, named: folder) }
            } catch {
                close(spool)
                throw error
            }
        }
    }
}

/// Calls `open`, which the type's own function of that name hides.
private func openToRead(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_CLOEXEC)
}
