#if Fetch
import LibC

/// A file that is sent as a request's body, from its first byte at every try. It is closed with the last reference.
///
/// A pipe or a terminal, which can be read only once, is first copied to an unlinked temporary file.
final class BodyFile: Sendable {
    /// The length of a piece: how much of the file is in memory at a time.
    static let pieceLength = 65_536

    /// The number of bytes that are sent.
    let length: Int64
    private let descriptor: Int32
    private let start: Int64
    private let name: String

    /// Opens a file. One that can be read only once is copied.
    ///
    /// - Parameter path: `-` is standard input.
    static func open(_ path: String) async throws(Fetch.Error) -> BodyFile {
        try await runBlocking { () throws(Fetch.Error) in try BodyFile(path) }
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

    /// Reads the piece at an offset from the beginning; empty after the end.
    func piece(at offset: Int64) async throws(Fetch.Error) -> [UInt8] {
        let count = Int(min(Int64(Self.pieceLength), length - offset))
        guard count > 0 else { return [] }
        return try await runBlocking { [self] () throws(Fetch.Error) in
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let received = pread(descriptor, buffer.baseAddress, count, off_t(start + offset))
                // At the end of the file, `errno` is left from an older call.
                code = received < 0 ? errno : 0
                filled = max(0, received)
            }
            guard bytes.isEmpty else { return bytes }
            throw code == 0 ? .file("\(name) has become shorter") : Fetch.Error("read", name, errno: code)
        }
    }

    /// Copies a pipe to an unlinked temporary file, which the system removes when it is closed.
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

/// Calls the `open` of the C library, which the type's own function hides.
private func openToRead(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_CLOEXEC)
}
#endif
