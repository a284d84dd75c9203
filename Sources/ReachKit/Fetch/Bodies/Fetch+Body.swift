#if Fetch

import NIOCore
import ReachSystem

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// The body of a request: the same bytes at every try, from memory and from files.
    public struct Body: Sendable, ExpressibleByStringLiteral {
        enum Part: Sendable {
            case bytes([UInt8])
            /// A file to open; `-` is standard input.
            case path(String)
            case file(BodyFile)
        }

        private(set) var parts: [Part]
        /// The media type for a request without a `Content-Type`; nil for none.
        private(set) var contentType: String?
        /// Why the body cannot be sent; nil where it can.
        private(set) var problem: String?

        /// Bytes in memory.
        public static func data(_ data: Data) -> Body {
            Body(parts: [.bytes(Array(data))])
        }

        /// A text, as UTF-8.
        public static func text(_ text: String) -> Body {
            Body(parts: [.bytes(Array(text.utf8))])
        }

        /// A value as JSON (RFC 8259). A request without a `Content-Type` gets `application/json`. A value that cannot be
        /// encoded is an ``Fetch/Error/invalid(_:)`` when the request is fetched.
        ///
        /// - Parameters:
        ///   - value: encoded at once.
        ///   - encoder: determines the format of dates, data and keys.
        public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> Body {
            var body = Body(parts: [])
            do {
                body.parts = [.bytes(Array(try encoder.encode(value)))]
                body.contentType = "application/json"
            } catch {
                body.problem = "the body cannot be encoded as JSON: \(error)"
            }
            return body
        }

        /// A file. It is opened when the fetch begins and read from its start at every try. One that can be read only
        /// once, such as a pipe, is first copied to a temporary file; until its end, only the time limit of the fetch and
        /// cancellation count. A device that is not empty is an ``Fetch/Error/file(_:)``.
        public static func file(_ path: String) -> Body {
            // A file of the name "-", not standard input.
            Body(parts: [.path(path == "-" ? "./-" : path)])
        }

        /// Standard input up to its end.
        package static let standardInput = Body(parts: [.path("-")])

        private init(parts: [Part]) {
            self.parts = parts
        }

        /// A text, as UTF-8.
        public init(stringLiteral text: String) {
            self = .text(text)
        }

        /// Adds another body at the end. The result has no `Content-Type` of its own.
        public mutating func append(_ other: Body) {
            var others = other.parts[...]
            // Many short texts are sent in few pieces.
            if case .bytes(var bytes)? = parts.last, case .bytes(let more)? = others.first,
                bytes.count + more.count <= BodyFile.pieceLength
            {
                // Removed first, so that the bytes are not copied.
                parts.removeLast()
                bytes += more
                parts.append(.bytes(bytes))
                others.removeFirst()
            }
            parts += others
            contentType = nil
            problem = problem ?? other.problem
        }

        /// The body with its files opened.
        package func opened() async throws(Error) -> Body {
            var opened = self
            for case (let index, .path(let path)) in parts.enumerated() {
                opened.parts[index] = .file(try await BodyFile.open(path))
            }
            return opened
        }

        /// The length in bytes. Files that are not opened count as empty.
        package var length: Int64 {
            parts.reduce(0) { sum, part in
                switch part {
                case .bytes(let bytes): sum + Int64(bytes.count)
                case .path: sum
                case .file(let file): sum + file.length
                }
            }
        }
    }
}

/// The pieces of a request's body. The connection reads the next one when it can send it.
struct BodyPieces: AsyncSequence, Sendable {
    let body: Fetch.Body
    /// Called whenever the connection asks for a piece, which shows that the peer accepts data.
    let onRead: @Sendable () -> Void
    /// Called with the number of bytes so far, for each piece that the connection gets.
    let onPiece: @Sendable (Int64) -> Void

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(parts: body.parts[...], onRead: onRead, onPiece: onPiece)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var parts: ArraySlice<Fetch.Body.Part>
        let onRead: @Sendable () -> Void
        let onPiece: @Sendable (Int64) -> Void
        private var offset: Int64 = 0
        private var count: Int64 = 0

        init(
            parts: ArraySlice<Fetch.Body.Part>,
            onRead: @escaping @Sendable () -> Void,
            onPiece: @escaping @Sendable (Int64) -> Void
        ) {
            self.parts = parts
            self.onRead = onRead
            self.onPiece = onPiece
        }

        mutating func next() async throws -> ByteBuffer? {
            onRead()
            while let part = parts.first {
                let piece =
                    switch part {
                    case .bytes(let bytes): bytes.dropFirst(Int(offset)).prefix(BodyFile.pieceLength)
                    case .path(let path): throw Fetch.Error.file("cannot read \(path): not opened")
                    case .file(let file): try await file.piece(at: offset)[...]
                    }
                guard piece.isEmpty else {
                    offset += Int64(piece.count)
                    count += Int64(piece.count)
                    onPiece(count)
                    return ByteBuffer(bytes: piece)
                }
                parts.removeFirst()
                offset = 0
            }
            return nil
        }
    }
}

/// A file that is sent as a request's body, from its first byte at every try. It is closed with the last reference.
///
/// A pipe or a terminal, which can be read only once, is first copied to an unlinked temporary file. No thread waits for
/// its next bytes, so it may have no writer yet.
final class BodyFile: Sendable {
    /// The length of a piece: how much of the file is in memory at a time.
    static let pieceLength = 65_536
    /// The pause before a pipe without new bytes is read again.
    private static let pause = Duration.milliseconds(20)

    /// The number of bytes that are sent.
    let length: Int64
    private let descriptor: Int32
    private let start: Int64
    let name: String

    private enum Kind: Sendable {
        case regular
        /// A pipe, a socket or a terminal.
        case pipe
        /// A device, which may have no end.
        case device
    }

    /// Opens a file. One that can be read only once is copied.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: ``Fetch/Error/file(_:)``, also for a device that is not empty; ``Fetch/Error/cancelled``.
    static func open(_ path: String) async throws(Fetch.Error) -> BodyFile {
        let (file, kind) = try await runBlocking { () throws(Fetch.Error) in
            let file = try BodyFile(path)
            return (file, try file.kind())
        }
        return kind == .regular ? file : try await file.copy(isDevice: kind == .device)
    }

    private init(_ path: String) throws(Fetch.Error) {
        guard !path.utf8.contains(0) else { throw .file(withZero: path) }
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : openToRead(path)
        guard descriptor >= 0 else { throw Fetch.Error("read", name, errno: errno) }
        let file = stat(of: descriptor).flatMap { $0.isRegular ? $0 : nil }
        start = file == nil ? 0 : max(0, Int64(lseek(descriptor, 0, SEEK_CUR)))
        length = file.map { [start] in max(0, Int64($0.st_size) - start) } ?? 0
    }

    private init(_ descriptor: Int32, length: Int64, name: String) {
        self.descriptor = descriptor
        self.length = length
        self.name = name
        start = 0
    }

    private func kind() throws(Fetch.Error) -> Kind {
        guard let status = stat(of: descriptor) else { throw Fetch.Error("read", name, errno: errno) }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .regular
        case S_IFBLK: .device
        case S_IFCHR: isatty(descriptor) == 1 ? .pipe : .device
        default: .pipe
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

    /// Copies the rest to an unlinked temporary file, which the system removes when it is closed.
    private func copy(isDevice: Bool) async throws(Fetch.Error) -> BodyFile {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let copy = try await runBlocking { () throws(Fetch.Error) in
            var template = Array("\(folder)/reach-XXXXXX".utf8CString)
            let copy = mkstemp(&template)
            guard copy >= 0 else { throw Fetch.Error("write a temporary file in", folder, errno: errno) }
            unlink(template)
            return copy
        }
        var length: Int64 = 0
        do throws(Fetch.Error) {
            while true {
                let bytes = try await nextBytes()
                if bytes.isEmpty { return BodyFile(copy, length: length, name: name) }
                guard !isDevice else { throw .file("\(name) is a device – name a file or a pipe") }
                try await runBlocking { () throws(Fetch.Error) in try writeAll(bytes[...], to: copy, named: folder) }
                length += Int64(bytes.count)
            }
        } catch {
            close(copy)
            throw error
        }
    }

    /// The next bytes of a pipe; empty at its end. Waits until there are any.
    private func nextBytes() async throws(Fetch.Error) -> [UInt8] {
        while true {
            if let bytes = try await runBlocking({ [self] () throws(Fetch.Error) in try readReady() }) { return bytes }
            do { try await Task.sleep(for: Self.pause, clock: .suspending) } catch { throw .cancelled }
        }
    }

    /// Reads without waiting; nil where there are no bytes yet.
    private func readReady() throws(Fetch.Error) -> [UInt8]? {
        // Standard input is in blocking mode. A named pipe that had no writer yet is not at its end either.
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 0) != 0 else { return nil }
        do throws(SystemError) {
            return try readPiece(from: descriptor, limit: Self.pieceLength)
        } catch {
            if error.code == EAGAIN { return nil }
            throw Fetch.Error("read", name, errno: error.code)
        }
    }
}

/// Calls the `open` of the C library, which the type's own function hides. A named pipe is opened without a writer.
private func openToRead(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
}

#endif
