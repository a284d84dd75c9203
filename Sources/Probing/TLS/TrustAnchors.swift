#if Fetch || TLS
import Monitoring
import NIOSSL
import SwiftASN1

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The trusted certificates: authorities, and server certificates that the user trusts directly.
struct TrustAnchors: Sendable {
    /// The system's CA files of Debian, Alpine and Arch; Fedora; openSUSE; macOS, FreeBSD and OpenBSD.
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// The authorities that are valid now.
    let authorities: [NIOSSLCertificate]
    /// The context that verifies chains by the authorities; nil if there are only server certificates.
    let context: NIOSSLContext?
    /// The next time an authority becomes valid or expires, in seconds since 1970. The context has only those valid
    /// now.
    let nextChange: Int64
    private let certificates: Set<[UInt8]>
    /// The authorities among the certificates, by subject.
    private let subjects: [ArraySlice<UInt8>: [CertificateFields]]

    /// Creates the context, which takes a while. Malformed certificates are skipped.
    ///
    /// - Parameter now: the time of the system's clock, which BoringSSL uses.
    init(der certificates: [[UInt8]], at now: Int64 = TLSContexts.systemTime()) throws(Fault) {
        let parsed = certificates.compactMap { der in
            (try? CertificateFields(der: der)).map { (der: der, fields: $0) }
        }
        self.certificates = Set(parsed.map(\.der))
        subjects = Dictionary(grouping: parsed.map(\.fields).filter(\.isAuthority), by: \.subject)
        let changes = parsed.flatMap { [$0.fields.validity.start, $0.fields.validity.end + 1] }
        nextChange = changes.filter { $0 > now }.min() ?? .max
        // BoringSSL may prefer an expired authority to a valid one of the same name, and ignores the validity of an
        // authority that is not a root.
        authorities = parsed.filter { $0.fields.isAuthority && $0.fields.validity.failure(at: now) == nil }
            .compactMap { Self.trusted($0.der) }
        do {
            context = authorities.isEmpty ? nil : try TLSContexts.makeContext(trusting: authorities)
        } catch {
            throw Fault(.internal, detail: String(quoting: "TLS: \(error)".utf8, limit: 60))
        }
    }

    /// Reads a PEM file; nil stands for the system's. Blocks while reading.
    init(file: String?) throws(Fault) {
        guard
            let text = Self.candidates(for: file).lazy.compactMap({ try? Data(contentsOf: URL(fileURLWithPath: $0)) })
                .first
        else {
            let hint = "install ca-certificates or set tls = { ca }"
            throw Fault(.noAuthorities, detail: file.map { "cannot read \($0)" } ?? "no trusted authorities – \(hint)")
        }
        let documents = (try? PEMDocument.parseMultiple(pemString: String(decoding: text, as: UTF8.self))) ?? []
        try self.init(der: documents.filter { $0.discriminator == "CERTIFICATE" }.map(\.derBytes))
        guard !certificates.isEmpty else {
            throw Fault(.noAuthorities, detail: "no certificate in \(file ?? "the system's authorities")")
        }
    }

    /// Returns an authority that BoringSSL trusts for servers even if it is not a root: in OpenSSL's format of a
    /// certificate with its trusted purposes.
    private static func trusted(_ der: [UInt8]) -> NIOSSLCertificate? {
        // SEQUENCE { SEQUENCE { id-kp-serverAuth } }
        let purposes: [UInt8] = [0x30, 0x0C, 0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
        let document = PEMDocument(type: "TRUSTED CERTIFICATE", derBytes: der + purposes)
        return try? NIOSSLCertificate.fromPEMBytes(Array(document.pemString.utf8)).first
    }

    /// Returns the candidate files. The first that exists is used.
    static func candidates(for file: String?) -> [String] {
        if let file { return [file] }
        let environment = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        return environment.map { [$0] } ?? systemFiles
    }

    /// Reads a file, and returns the authorities or the fault.
    static func load(_ file: String?) -> Result<TrustAnchors, Fault> {
        do {
            return .success(try TrustAnchors(file: file))
        } catch {
            return .failure(error)
        }
    }

    /// The number of certificates.
    var count: Int { certificates.count }

    /// Returns whether exactly this certificate is trusted, as a server certificate from the CA file is.
    func contains(_ certificate: NIOSSLCertificate) -> Bool {
        (try? certificate.toDERBytes()).map { certificates.contains($0) } ?? false
    }

    /// Returns the authorities that may have issued a certificate.
    func issuers(of certificate: CertificateFields) -> [CertificateFields] {
        (subjects[certificate.issuer] ?? []).filter { certificate.canBeIssued(by: $0) }
    }
}
#endif
