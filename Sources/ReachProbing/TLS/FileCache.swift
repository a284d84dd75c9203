#if TLS
import ReachMonitoring
import ReachSystem
import Synchronization

/// Content that is read from files and cached.
protocol CachedContent: Sendable {
    /// The identity of the files.
    associatedtype Name: Hashable & Sendable

    /// The paths of the files. May block.
    static func paths(of name: Name) -> [String]
    /// Reads the files. Blocks while reading.
    init(reading name: Name) throws(Fault)
    /// Whether unchanged files need not be read again.
    var isValid: Bool { get }
    /// The fault of files that do not respond, as on a network.
    static func noResponse(of name: Name) -> Fault
}

/// The content of files, or the fault, and the versions of the files that it was read from.
final class CachedFile<Content: CachedContent>: Sendable {
    /// The minimum time between two checks of the files. A fault is not cached.
    static var recheckInterval: Duration { .seconds(1) }

    let result: Result<Content, Fault>
    private let name: Content.Name
    private let versions: [FileSignature?]
    /// The time of the last check of the files.
    private let lastCheck: Mutex<ContinuousClock.Instant>

    /// Reads the files. Blocks while reading.
    init(_ name: Content.Name) {
        self.name = name
        lastCheck = Mutex(.now)
        // Taken before reading, so that a file replaced meanwhile is read again.
        versions = Self.versions(of: name)
        result = Result { () throws(Fault) in try Content(reading: name) }
    }

    /// Whether the content can be used, and was compared with the files a moment ago.
    var isRecent: Bool {
        isUsable && lastCheck.withLock { ContinuousClock.now - $0 < Self.recheckInterval }
    }

    private var isUsable: Bool { (try? result.get().isValid) ?? false }

    private static func versions(of name: Content.Name) -> [FileSignature?] {
        Content.paths(of: name).map { FileSignature(at: $0) }
    }

    /// Returns this instance, or a new one if a file has changed or the content cannot be used. May block.
    ///
    /// - Parameter interval: the minimum time since the last check.
    func refreshed(after interval: Duration = CachedFile.recheckInterval) -> CachedFile {
        guard isUsable else { return CachedFile(name) }
        let isRecent = lastCheck.withLock { lastCheck in
            let now = ContinuousClock.now
            guard now - lastCheck >= interval else { return true }
            lastCheck = now
            return false
        }
        return isRecent || Self.versions(of: name) == versions ? self : CachedFile(name)
    }
}

/// A cache of files, shared by the event loops of this process. Each file is read on a thread of the ``WorkerPool``, once
/// for all callers at a time: a file that does not respond holds one thread, and callers wait for it only in the first
/// seconds.
final class FileCache<Content: CachedContent>: Sendable {
    private struct Entry: Sendable {
        let reading: Task<CachedFile<Content>, Never>
        let start = ContinuousClock.now
        let number: Int
        /// Nil while the file is read.
        var file: CachedFile<Content>?
        /// Whether the file must be read again, even if it seems unchanged.
        var isOutdated = false
    }

    private struct State: Sendable {
        var entries: [Content.Name: Entry] = [:]
        var lastNumber = 0
    }

    /// How long callers wait for a file.
    private let maxWait: Duration
    private let state = Mutex(State())

    init(maxWait: Duration = .seconds(5)) {
        self.maxWait = maxWait
    }

    /// Returns a file, which is read again if it may have changed.
    ///
    /// - Throws: The fault of a file that does not respond.
    func file(_ name: Content.Name) throws(Fault) -> Task<CachedFile<Content>, Never> {
        try state.withLock { state throws(Fault) in
            let last = state.entries[name]
            if let last, !last.isOutdated {
                if last.file?.isRecent == true { return last.reading }
                if last.file == nil {
                    guard ContinuousClock.now - last.start < maxWait else { throw Content.noResponse(of: name) }
                    return last.reading
                }
            }
            state.lastNumber += 1
            let (number, file) = (state.lastNumber, last?.isOutdated == true ? nil : last?.file)
            let reading = Task.detached { [self] in
                // The read before a reload may not have ended.
                _ = await last?.reading.value
                let read: @Sendable () -> CachedFile<Content> = { file?.refreshed() ?? CachedFile(name) }
                // Without a thread, it is better to block for a moment than to fail.
                let file = await WorkerPool.shared.run(read) ?? read()
                finish(name, number, file)
                return file
            }
            state.entries[name] = Entry(reading: reading, number: number, file: nil)
            return reading
        }
    }

    /// Removes all files. At its next use, each is read again, also one that is being read now.
    func removeAll() {
        state.withLock { state in
            state.entries = state.entries.filter { $0.value.file == nil }
            for name in state.entries.keys { state.entries[name]?.isOutdated = true }
        }
    }

    private func finish(_ name: Content.Name, _ number: Int, _ file: CachedFile<Content>) {
        state.withLock { state in
            if state.entries[name]?.number == number { state.entries[name]?.file = file }
        }
    }
}
#endif
