#if Fetch || TLS
import LibC
import Monitoring
import Synchronization

/// The authorities of a CA file, and the version of the file that they were read from.
final class TrustAnchorFile: Sendable {
    /// The minimum time between two checks of the file. A failure is not cached.
    static let recheckInterval = Duration.seconds(1)

    /// The file from the settings; nil for the system's.
    private let file: String?
    private let path: String?
    private let version: FileSignature?
    /// The time of the last check of the file.
    private let lastCheck: Mutex<ContinuousClock.Instant>
    /// The authorities, or the fault.
    let result: Result<TrustAnchors, Fault>

    /// Reads a file; nil stands for the system's. Blocks while reading.
    init(_ file: String?) {
        self.file = file
        lastCheck = Mutex(.now)
        // Taken before reading, so that a file replaced meanwhile is read again.
        let candidates = TrustAnchors.candidates(for: file).lazy.map { (path: $0, version: FileSignature(at: $0)) }
        let found = candidates.first { $0.version != nil }
        (path, version) = (found?.path, found?.version)
        result = TrustAnchors.load(file)
    }

    /// Returns this instance, or a new one if the file has changed or reading failed. May block.
    ///
    /// - Parameter interval: the minimum time since the last check.
    func refreshed(after interval: Duration = TrustAnchorFile.recheckInterval) -> TrustAnchorFile {
        guard case .success = result, let path, let version else { return TrustAnchorFile(file) }
        let isRecent = lastCheck.withLock { lastCheck in
            let now = ContinuousClock.now
            guard now - lastCheck >= interval else { return true }
            lastCheck = now
            return false
        }
        return isRecent || FileSignature(at: path) == version ? self : TrustAnchorFile(file)
    }
}
#endif
