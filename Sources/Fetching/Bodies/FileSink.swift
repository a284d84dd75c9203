import LibC
import Synchronization

/// A file that has its name only when it is whole: until then its bytes are in another one beside it, which goes away when
/// the body breaks off for good. An older file of the name stays until then. Permissions are those of any new file.
public final class FileSink: BodySink {
    private struct State {
        /// The file that is written to.
        var descriptor: Int32 = -1
        /// Its name, until it has the right one.
        var temporary: String?
        var isDiscarded = false
    }

    private let path: String
    private let state = Mutex(State())

    /// A file that is not there yet, or is to be replaced.
    ///
    /// - Parameter path: its name; of a symbolic link, the file that it leads to is replaced.
    public init(_ path: String) {
        if let real = realpath(path, nil) {
            self.path = String(cString: real)
            free(real)
        } else {
            self.path = path
        }
    }

    deinit {
        discard()
        state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
    }

    /// Whatever broke off is overwritten.
    public let canBeginAnew = true

    /// Makes the file that is written to, or empties it.
    public func begin(length: Int64?) async throws(FileProblem) {
        try await blocking { [self] in
            Result { () throws(FileProblem) in try open() }
        }
    }

    /// Writes to it.
    public func take(_ piece: [UInt8]) async throws(FileProblem) {
        let descriptor = state.withLock(\.descriptor)
        try await blocking { [path] in
            Result { () throws(FileProblem) in try writeWhole(piece[...], to: descriptor, named: path) }
        }
    }

    /// Gives it the right name.
    public func end() async throws(FileProblem) {
        try await blocking { [self] in
            Result { () throws(FileProblem) in try finish() }
        }
    }

    /// Leaves nothing behind but a file that is whole; nothing is written any more.
    public func discard() {
        state.withLock { state in
            state.isDiscarded = true
            if let temporary = state.temporary { unlink(temporary) }
            state.temporary = nil
        }
    }

    private func open() throws(FileProblem) {
        try state.withLock { state throws(FileProblem) in
            guard !state.isDiscarded else { throw FileProblem("cancelled") }
            if state.temporary != nil {
                guard ftruncate(state.descriptor, 0) == 0, lseek(state.descriptor, 0, SEEK_SET) == 0 else {
                    throw FileProblem("write", path, errno: errno)
                }
                return
            }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            let name = "\(folder).reach-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            state.descriptor = make(name)
            guard state.descriptor >= 0 else { throw FileProblem("write", path, errno: errno) }
            state.temporary = name
        }
    }

    private func finish() throws(FileProblem) {
        try state.withLock { state throws(FileProblem) in
            guard let temporary = state.temporary else { throw FileProblem("cancelled") }
            defer { state.descriptor = -1 }
            // A distant disk may say only now that it is full.
            guard close(state.descriptor) == 0, rename(temporary, path) == 0 else {
                let code = errno
                unlink(temporary)
                state.temporary = nil
                throw FileProblem("write", path, errno: code)
            }
            state.temporary = nil
        }
    }
}

/// Makes a file that is not there yet, with the permissions that the user's mask leaves.
private func make(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
}
