#if Fetch
import NIOCore
import NIOSSL
import ReachMonitoring
import ReachProbing
import ReachSystem

extension Fetch {
    /// How servers are verified by TLS, and how the client identifies itself to them. The files are in PEM format, and
    /// are read at the first request by `https`.
    public struct TLS: Sendable, Hashable {
        /// A certificate of the client, with its key.
        public struct ClientCertificate: Sendable, Hashable {
            /// The path of the certificate and those of its issuers, the client's first.
            public var chain: String
            /// The path of the private key, which is not encrypted.
            public var privateKey: String

            /// Creates a client certificate from two files.
            public init(chain: String, privateKey: String) {
                self.chain = chain
                self.privateKey = privateKey
            }
        }

        /// The path of the certificates of the trusted authorities, in place of the system's; nil for those of
        /// `SSL_CERT_FILE`, or else the system's, as for probes.
        public var authorities: String?
        /// The certificate for servers that request one; nil for none.
        public var clientCertificate: ClientCertificate?

        /// Creates options; by default the system's authorities are trusted, and there is no client certificate.
        public init(authorities: String? = nil, clientCertificate: ClientCertificate? = nil) {
            self.authorities = authorities
            self.clientCertificate = clientCertificate
        }

        /// The options with the authorities of `SSL_CERT_FILE`, unless they name some.
        func trustingFile(of environment: [String: String]) -> TLS {
            var tls = self
            if let file = environment["SSL_CERT_FILE"], !file.isEmpty { tls.authorities = authorities ?? file }
            return tls
        }

        /// Reads the files.
        ///
        /// - Throws: ``Fetch/Error/file(_:)`` for a file that cannot be read, or has not the format, and for a key that is
        ///   not the certificate's.
        func configuration() throws(Error) -> TLSConfiguration {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.acceptAllAlgorithms()
            // A peer that does not respond to the closure alert must not delay the end of a connection.
            configuration.shutdownTimeout = .zero
            // Older versions are deprecated (RFC 8996).
            configuration.minimumTLSVersion = .tlsv12
            if let authorities {
                configuration.trustRoots = .certificates(
                    NIOSSLCertificate.anchors(try Self.certificates(in: authorities))
                )
            }
            if let clientCertificate {
                let chain = try Self.certificates(in: clientCertificate.chain)
                configuration.certificateChain = chain.map { .certificate($0) }
                configuration.privateKey = .privateKey(try Self.key(in: clientCertificate.privateKey))
                try clientCertificate.validate()
            }
            return configuration
        }

        private static func certificates(in path: String) throws(Error) -> [NIOSSLCertificate] {
            try checkAccess(to: path)
            guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else {
                throw .file("\(path) has no certificate in PEM format")
            }
            return certificates
        }

        private static func key(in path: String) throws(Error) -> NIOSSLPrivateKey {
            try checkAccess(to: path)
            guard let key = try? NIOSSLPrivateKey(file: path, format: .pem) else {
                throw .file("\(path) has no private key in PEM format, or an encrypted one")
            }
            return key
        }

        private static func checkAccess(to path: String) throws(Error) {
            guard access(path, R_OK) == 0 else { throw Error("read", path, errno: errno) }
        }
    }
}

extension Fetch.TLS.ClientCertificate {
    /// Checks that the key is the certificate's, and that the certificate is valid now, by the rules of probes. Without it,
    /// the connection would fail without a reason.
    fileprivate func validate() throws(Fetch.Error) {
        do throws(Fault) {
            try TLSOptions(certificate: chain, key: privateKey).validateClientCertificate()
        } catch {
            throw .file(error.detail)
        }
    }
}
#endif
