import Crypto
import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// An authority that a test founds, and the certificates that it signs.
struct Authority {
    let certificate: Certificate
    private let key: Certificate.PrivateKey

    /// - Parameters:
    ///   - parent: who signs the authority; itself where nobody does.
    ///   - twin: another authority, whose key it has too.
    ///   - days: when it expires, counted from now.
    ///   - maxPathLength: how many authorities may be below it.
    ///   - domain: the only domain that it may sign for.
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

    /// A file with the authority's certificate, as `tls = { ca }` names one.
    func file() throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("ca-\(UUID().uuidString).pem")
        try certificate.serializeAsPEM().pemString.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// A server's certificate, every argument defaulted, so that a test names only what is wrong with it.
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

/// A server's certificate and its key.
struct Credential {
    let certificate: Certificate
    let key: Certificate.PrivateKey

    /// What a server needs to speak TLS.
    ///
    /// - Parameters:
    ///   - chain: the certificates of authorities to send along.
    ///   - newest: the newest version of TLS that the server speaks.
    ///   - greeted: called at the beginning of each handshake.
    func context(
        chain: [Certificate] = [],
        newest: TLSVersion? = nil,
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
        if let greeted {
            configuration.sslContextCallback = { _, promise in
                greeted()
                promise.succeed(.noChanges)
            }
        }
        return try NIOSSLContext(configuration: configuration)
    }
}
