import NIOCore
import NIOSSL

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
