#if TLS
import ReachSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the trusted authorities are read from: a CA file; without one, the files of `SSL_CERT_FILE` and `SSL_CERT_DIR`; without
/// these, the system's.
package struct AuthorityFiles: Sendable, Hashable {
    /// The system's CA files of Debian, Alpine and Arch; Fedora; openSUSE; macOS, FreeBSD and OpenBSD.
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]
    /// Those of the environment of this process, or else the system's.
    package static let ofProcess = AuthorityFiles(nil, environment: ProcessInfo.processInfo.environment)

    /// The files of which the first that exists is read.
    let candidates: [String]
    /// The folders whose files are all read.
    let folders: [String]
    /// Whether neither a CA file nor the environment names any.
    package let isSystem: Bool

    /// The authorities of a CA file; nil for those of this process.
    package init(_ file: String?) {
        self = file.map { AuthorityFiles($0, environment: [:]) } ?? .ofProcess
    }

    /// The authorities of a CA file, or else of an environment, or else of the system.
    package init(_ file: String?, environment: [String: String]) {
        let named = file ?? environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        // Names with colons between them, as in OpenSSL and Go.
        folders = file == nil ? (environment["SSL_CERT_DIR"] ?? "").split(separator: ":").map(String.init) : []
        isSystem = named == nil && folders.isEmpty
        candidates = named.map { [$0] } ?? (isSystem ? Self.systemFiles : [])
    }

    /// The file that must have a certificate: the one that is named, or the first of the system's that exists.
    package var file: String? {
        isSystem ? candidates.first { FileSignature(at: $0) != nil } : candidates.first
    }

    /// The files in the folders, in the order of their names. Of a file with several names, such as a link with the hash of its
    /// subject, only the first counts. Blocks while reading.
    package var listedFiles: [String] {
        var seen: Set<FileNumber> = []
        return folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().map { "\(folder)/\($0)" }
        }
        .filter { path in
            guard let status = stat(at: path), status.isRegular else { return false }
            return seen.insert(FileNumber(status)).inserted
        }
    }

    /// The file and the folders, for messages.
    package var title: String {
        isSystem ? "the system's authorities" : (candidates + folders).joined(separator: ", ")
    }
}
#endif
