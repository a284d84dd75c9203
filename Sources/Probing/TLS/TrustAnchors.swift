import Monitoring
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The authorities that are trusted.
struct TrustAnchors: Sendable {
    /// Where systems keep theirs: Debian, Alpine and Arch; Fedora; openSUSE; macOS, FreeBSD and OpenBSD.
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    let store: CertificateStore
    private let certificates: Set<Certificate>

    init(_ certificates: [Certificate]) {
        store = CertificateStore(certificates)
        self.certificates = Set(certificates)
    }

    /// Reads a PEM file, or the system's own where none is named, and may block meanwhile.
    init(file: String?) throws(Fault) {
        guard
            let text = Self.candidates(for: file).lazy.compactMap({ try? Data(contentsOf: URL(fileURLWithPath: $0)) })
                .first
        else {
            let hint = "install ca-certificates, or name a file as tls = { ca }"
            throw Fault(.noAuthorities, detail: file.map { "cannot read \($0)" } ?? "no trusted authorities: \(hint)")
        }
        let documents = (try? PEMDocument.parseMultiple(pemString: String(decoding: text, as: UTF8.self))) ?? []
        // One that cannot be read is one that is not trusted; the others still are.
        self.init(documents.compactMap { try? Certificate(pemDocument: $0) })
        guard !certificates.isEmpty else {
            throw Fault(.noAuthorities, detail: "no certificate in \(file ?? "the system's authorities")")
        }
    }

    /// The files that the authorities may be in, the first one counts.
    static func candidates(for file: String?) -> [String] {
        if let file { return [file] }
        let environment = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        return environment.map { [$0] } ?? systemFiles
    }

    /// Reads a file, and says so where that fails.
    static func load(_ file: String?) -> Result<TrustAnchors, Fault> {
        do {
            return .success(try TrustAnchors(file: file))
        } catch {
            return .failure(error)
        }
    }

    /// How many authorities there are.
    var count: Int { certificates.count }

    /// Whether this very certificate is trusted, as a server's own is that the user named.
    func contains(_ certificate: Certificate) -> Bool {
        certificates.contains(certificate)
    }
}
