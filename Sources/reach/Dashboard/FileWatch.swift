import SettingsFile
import Synchronization

/// Reports when a file has changed, by looking at its time, size and identity every two seconds.
final class FileWatch: Sendable {
    /// The changes; the stream has one consumer.
    let changes: AsyncStream<Void>
    private let watched = Mutex<(path: String, detector: FileChangeDetector)?>(nil)

    /// Creates a watch without a file. It ends when the consumer of its stream is cancelled.
    init() {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        let looking = Task { [weak self] in
            var isWaiting = false
            while !Task.isCancelled {
                try? await Task.sleep(for: isWaiting ? .seconds(1) : .seconds(2), tolerance: .milliseconds(200))
                guard let self else { return }
                if look() { change.yield() }
                isWaiting = watched.withLock { $0?.detector.isWaiting ?? false }
            }
        }
        change.onTermination = { _ in looking.cancel() }
    }

    /// Watches this file from now on. Its present state is not a change.
    func watch(_ path: String?) {
        watched.withLock { watched in
            watched = path.map { ($0, FileChangeDetector(FileSignature(path: $0))) }
        }
    }

    private func look() -> Bool {
        guard let path = watched.withLock({ $0?.path }) else { return false }
        // Outside the lock, since it takes long if the file is on a server that does not answer.
        let signature = FileSignature(path: path)
        return watched.withLock { $0?.path == path && $0?.detector.detect(signature) == true }
    }
}

/// Decides from successive signatures of a file whether it has changed. A change counts when the file has stayed the same
/// since the signature before, so that a file is not read while it is written.
struct FileChangeDetector {
    private var reported: FileSignature?
    private var last: FileSignature?

    /// Creates a detector for a file that has this signature; nil if it does not exist.
    init(_ signature: FileSignature?) {
        (reported, last) = (signature, signature)
    }

    /// Whether the last signature was a new one, which counts when it is seen again.
    var isWaiting: Bool { last != reported }

    /// Adds a signature.
    ///
    /// - Returns: Whether the file has changed.
    mutating func detect(_ signature: FileSignature?) -> Bool {
        let isStable = signature == last
        last = signature
        guard isStable, signature != reported else { return false }
        reported = signature
        return true
    }
}
