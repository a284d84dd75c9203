import Monitoring
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The authorities of a file, and the version of the file that they were read from.
final class TrustAnchorFile: Sendable {
    /// How long the authorities are used before the file is looked at again. A failure is not used again.
    static let pause = Duration.seconds(1)

    /// The attributes by which one version of a file differs from another.
    private struct Version: Sendable, Hashable {
        private let device: UInt64?
        private let inode: UInt64?
        private let size: UInt64?
        private let modified: Date?

        /// The version of the file that is at a path now; nil if there is none.
        init?(of path: String) {
            // Through links: the system's own are often some.
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else { return nil }
            func number(_ key: FileAttributeKey) -> UInt64? {
                switch attributes[key] {
                case let number as UInt64: number
                case let number as UInt: UInt64(number)
                case let number as Int: UInt64(clamping: number)
                default: nil
                }
            }
            device = number(.systemNumber)
            inode = number(.systemFileNumber)
            size = number(.size)
            modified = attributes[.modificationDate] as? Date
        }
    }

    /// The file that the settings name; nil for the system's own.
    private let file: String?
    private let path: String?
    private let version: Version?
    /// When the file was looked at last.
    private let looked: Mutex<ContinuousClock.Instant>
    /// The authorities, or why there are none.
    let result: Result<TrustAnchors, Fault>

    /// Reads a file, or the system's own where none is named, and may block meanwhile.
    init(_ file: String?) {
        self.file = file
        looked = Mutex(.now)
        // Before it is read: a file that is replaced meanwhile is read again.
        let candidates = TrustAnchors.candidates(for: file).lazy.map { (path: $0, version: Version(of: $0)) }
        let found = candidates.first { $0.version != nil }
        (path, version) = (found?.path, found?.version)
        result = TrustAnchors.load(file)
    }

    /// This one; a new one if the file has changed, an authority has expired or become valid, or reading failed. May
    /// block.
    ///
    /// - Parameter pause: how long the file need not be looked at again.
    func refreshed(after pause: Duration = TrustAnchorFile.pause) -> TrustAnchorFile {
        guard case .success(let anchors) = result, let path, let version, anchors.nextChange > TLSContexts.systemTime()
        else { return TrustAnchorFile(file) }
        let isRecent = looked.withLock { looked in
            let now = ContinuousClock.now
            guard now - looked >= pause else { return true }
            looked = now
            return false
        }
        return isRecent || Version(of: path) == version ? self : TrustAnchorFile(file)
    }
}
