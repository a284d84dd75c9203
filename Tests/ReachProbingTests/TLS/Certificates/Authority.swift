import Foundation
import NIOCore
import NIOSSL

/// A certificate authority for tests.
struct Authority {
    let certificate: Certificate
    private let name: String
    private let key: SigningKey

    /// - Parameters:
    ///   - parent: the issuer; nil for a self-signed authority.
    ///   - twin: another authority with the same key.
    ///   - days: the number of days until it expires.
    ///   - maxPathLength: the maximum number of authorities below it.
    ///   - domain: the only domain that it may issue certificates for.
    ///   - usage: the only purpose of certificates that it may issue.
    init(
        _ name: String = "Test Root",
        under parent: Authority? = nil,
        twin: Authority? = nil,
        days: Double = 3_650,
        maxPathLength: Int? = nil,
        permits domain: String? = nil,
        usage: CertificateExtension.Usage? = nil
    ) throws {
        let key = try twin?.key ?? SigningKey()
        self.name = name
        self.key = key
        certificate = try Certificate(
            of: name,
            key: key,
            by: parent?.name ?? name,
            issuerKey: parent?.key ?? key,
            from: -400,
            days: days,
            extensions: [.authority(maxPathLength: maxPathLength), .signsCertificates]
                + [domain].compactMap(\.self).map { .permits(domain: $0) }
                + [usage].compactMap(\.self).map { .usage($0) }
        )
    }

    /// Writes the certificate to a file for `tls = { ca }`, and returns the path.
    func file() throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("ca-\(UUID().uuidString).pem")
        try certificate.pem.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    /// Issues a server certificate. Every argument has a valid default, so that a test passes only the flaw.
    func certify(
        names: [CertificateExtension.AlternativeName] = [.dns("good.example")],
        commonName: String = "server",
        from start: Double = -30,
        days: Double = 61.5,
        usage: CertificateExtension.Usage = .server,
        isSelfSigned: Bool = false
    ) throws -> Credential {
        let key = try SigningKey()
        let certificate = try Certificate(
            of: commonName,
            key: key,
            by: isSelfSigned ? commonName : name,
            issuerKey: isSelfSigned ? key : self.key,
            from: start,
            days: days,
            extensions: [.noAuthority, .signsHandshakes, .usage(usage)] + (names.isEmpty ? [] : [.names(names)])
        )
        return Credential(certificate: certificate, key: key)
    }
}

/// A server certificate and its key.
struct Credential {
    let certificate: Certificate
    let key: SigningKey

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
        protocols: [String] = [],
        greeted: (@Sendable () -> Void)? = nil
    ) throws -> NIOSSLContext {
        let certificates = try ([certificate] + chain).map { certificate in
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: certificate.der, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates,
            privateKey: .privateKey(key)
        )
        configuration.maximumTLSVersion = newest
        configuration.applicationProtocols = protocols
        if let authority {
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates([
                try NIOSSLCertificate(bytes: authority.certificate.der, format: .der)
            ])
        }
        if let greeted {
            configuration.sslContextCallback = { _, promise in
                greeted()
                promise.succeed(.noChanges)
            }
        }
        return try NIOSSLContext(configuration: configuration)
    }
}
