import Crypto
import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// A certificate authority for tests.
struct Authority {
    let certificate: Certificate
    private let key: Certificate.PrivateKey

    /// - Parameters:
    ///   - parent: the issuer; nil for a self-signed authority.
    ///   - twin: another authority with the same key.
    ///   - days: the number of days until it expires.
    ///   - maxPathLength: the maximum number of authorities below it.
    ///   - domain: the only domain that it may issue certificates for.
    init(
        _ name: String = "Test Root",
        under parent: Authority? = nil,
        twin: Authority? = nil,
        days: Double = 3_650,
        maxPathLength: Int? = nil,
        permits domain: String? = nil
    ) throws {
        let key = twin?.key ?? Certificate.PrivateKey(P256.Signing.PrivateKey())
        let subject = try DistinguishedName { CommonName(name) }
        self.key = key
        certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSinceNow: -86_400 * 400),
            notValidAfter: Date(timeIntervalSinceNow: 86_400 * days),
            issuer: parent?.certificate.subject ?? subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: maxPathLength))
                Critical(KeyUsage(keyCertSign: true))
                if let domain { Critical(NameConstraints(permittedDNSDomains: [domain])) }
            },
            issuerPrivateKey: parent?.key ?? key
        )
    }

    /// Writes the certificate to a file for `tls = { ca }`, and returns the path.
    func file() throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("ca-\(UUID().uuidString).pem")
        try certificate.serializeAsPEM().pemString.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// Issues a server certificate. Every argument has a valid default, so that a test passes only the flaw.
    func certify(
        names: [GeneralName] = [.dnsName("good.example")],
        commonName: String = "server",
        from start: Double = -30,
        days: Double = 61.5,
        usage: ExtendedKeyUsage.Usage = .serverAuth,
        isSelfSigned: Bool = false
    ) throws -> Credential {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let subject = try DistinguishedName { CommonName(commonName) }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSinceNow: 86_400 * start),
            notValidAfter: Date(timeIntervalSinceNow: 86_400 * days),
            issuer: isSelfSigned ? subject : self.certificate.subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([usage])
                if !names.isEmpty { SubjectAlternativeNames(names) }
            },
            issuerPrivateKey: isSelfSigned ? key : self.key
        )
        return Credential(certificate: certificate, key: key)
    }
}

/// A server certificate and its key.
struct Credential {
    let certificate: Certificate
    let key: Certificate.PrivateKey

    /// Returns a TLS context for a server.
    ///
    /// - Parameters:
    ///   - chain: the certificates of authorities to send.
    ///   - newest: the maximum TLS version.
    ///   - authority: the authority of the certificates that clients must have; nil if they need none.
    ///   - greeted: called at the beginning of each handshake.
    func context(
        chain: [Certificate] = [],
        newest: TLSVersion? = nil,
        requiring authority: Authority? = nil,
        greeted: (@Sendable () -> Void)? = nil
    ) throws -> NIOSSLContext {
        let certificates = try ([certificate] + chain).map { certificate in
            let bytes = Array(try certificate.serializeAsPEM().derBytes)
            return NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: bytes, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(key.serializeAsPEM().pemString.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates,
            privateKey: .privateKey(key)
        )
        configuration.maximumTLSVersion = newest
        if let authority {
            let bytes = Array(try authority.certificate.serializeAsPEM().derBytes)
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates([try NIOSSLCertificate(bytes: bytes, format: .der)])
        }
        if let greeted {
            configuration.sslContextCallback = { _, promise in
                greeted()
                promise.succeed(.noChanges)
            }
        }
        return try NIOSSLContext(configuration: configuration)
    }

    /// The certificate as the text of a PEM file.
    var certificateText: String { get throws { try certificate.serializeAsPEM().pemString + "\n" } }

    /// The key as the text of a PEM file.
    var keyText: String { get throws { try key.serializeAsPEM().pemString + "\n" } }
}
