#if Fetch || TLS
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The attributes that identify a version of a file.
struct FileVersion: Sendable, Hashable {
    private let device: UInt64?
    private let inode: UInt64?
    private let size: UInt64?
    private let modified: Date?

    /// Reads the current version of the file at a path; nil if there is none.
    init?(of path: String) {
        // Resolve links: the system's CA file is often one.
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
#endif
