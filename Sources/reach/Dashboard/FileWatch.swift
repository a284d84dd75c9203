import ReachSettings
import Synchronization

/// Reports changes of the settings files, by polling their times, sizes and identities every two seconds.
final class FileWatch: Sendable {
    /// The changes; the stream has one consumer.
    let changes: AsyncStream<Void>
    private let watched = Mutex<(files: WatchedFiles, detector: FileChangeDetector<FileSignatures>)?>(nil)
    /// The variables to substitute in the names of included files.
    private let environment: [String: String]

    /// Creates a watch without a file. It ends when the consumer of its stream is cancelled.
    init(environment: [String: String]) {
        self.environment = environment
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        let polling = Task { [weak self] in
            let queue = BlockingQueue("watch")
            var isWaiting = false
            while !Task.isCancelled {
                try? await Task.sleep(for: isWaiting ? .seconds(1) : .seconds(2), tolerance: .milliseconds(200))
                guard let self else { return }
                if await queue.run(poll) == true { change.yield() }
                isWaiting = watched.withLock { $0?.detector.isWaiting ?? false }
            }
        }
        change.onTermination = { _ in polling.cancel() }
    }

    /// Watches this file and those that it includes from now on. Their present state is not a change. May block.
    func watch(_ path: String?) {
        let files = path.map { WatchedFiles(path: $0, environment: environment) }
        let signature = files?.signature
        watched.withLock { $0 = files.map { ($0, FileChangeDetector(signature)) } }
    }

    @Sendable private func poll() -> Bool {
        guard let files = watched.withLock({ $0?.files }) else { return false }
        // Outside the lock, since it may block.
        let signature = files.signature
        return watched.withLock { $0?.files == files && $0?.detector.detect(signature) == true }
    }
}

/// Decides from successive signatures of a file whether it has changed. A change counts when two signatures in a row have it,
/// so that a file is not read while it is written.
struct FileChangeDetector<Signature: Hashable & Sendable> {
    private var reported: Signature?
    private var last: Signature?

    /// Creates a detector for a file that has this signature; nil if it does not exist.
    init(_ signature: Signature?) {
        (reported, last) = (signature, signature)
    }

    /// Whether the last signature was a new one, which counts when it is seen again.
    var isWaiting: Bool { last != reported }

    /// Adds a signature.
    ///
    /// - Returns: Whether the file has changed.
    mutating func detect(_ signature: Signature?) -> Bool {
        let isStable = signature == last
        last = signature
        guard isStable, signature != reported else { return false }
        reported = signature
        return true
    }
}
