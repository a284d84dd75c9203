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
        /// `SSL_CERT_FILE` and `SSL_CERT_DIR`, or else the system's, as for probes.
        public var authorities: String?
        /// The certificate for servers that request one; nil for none.
        public var clientCertificate: ClientCertificate?
        /// Whether the server's certificate is verified. Otherwise any is accepted, and old versions of TLS are too, so that
        /// the connection is open to attackers on the way.
        public var verifiesServer: Bool

        /// Creates options; by default the system's authorities are trusted, and there is no client certificate.
        public init(
            authorities: String? = nil,
            clientCertificate: ClientCertificate? = nil,
            verifiesServer: Bool = true
        ) {
            self.authorities = authorities
            self.clientCertificate = clientCertificate
            self.verifiesServer = verifiesServer
        }

        /// Checks the files of the authorities and the client certificate.
        ///
        /// - Throws: The errors of ``configuration(trusting:)``.
        package func validate() throws(Error) {
            _ = try configuration(trusting: AuthorityFiles(authorities))
        }

        /// Reads the files.
        ///
        /// - Parameter trusted: the authorities that are trusted.
        /// - Throws: ``Fetch/Error/file(_:)`` for a file that cannot be read, or has not the format, and for a key that is
        ///   not the certificate's.
        func configuration(trusting trusted: AuthorityFiles) throws(Error) -> TLSConfiguration {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.acceptAllAlgorithms()
            // A peer that does not respond to the closure alert must not delay the end of a connection.
            configuration.shutdownTimeout = .zero
            // Older versions are deprecated (RFC 8996). Old devices have no others.
            configuration.minimumTLSVersion = verifiesServer ? .tlsv12 : .tlsv1
            if !verifiesServer {
                configuration.certificateVerification = .none
            } else if !trusted.isSystem {
                configuration.trustRoots = .certificates(NIOSSLCertificate.anchors(try Self.authorities(in: trusted)))
            }
            if let clientCertificate {
                let chain = try Self.certificates(in: clientCertificate.chain)
                configuration.certificateChain = chain.map { .certificate($0) }
                configuration.privateKey = .privateKey(try Self.key(in: clientCertificate.privateKey))
                try clientCertificate.validate()
            }
            return configuration
        }

        /// Reads the certificates of a CA file, and those in folders, where other files are skipped.
        private static func authorities(in files: AuthorityFiles) throws(Error) -> [NIOSSLCertificate] {
            let named = try files.file.map { file throws(Error) in try certificates(in: file) } ?? []
            let all = named + files.listedFiles.flatMap { (try? NIOSSLCertificate.fromPEMFile($0)) ?? [] }
            guard !all.isEmpty else { throw .file("\(files.title) has no certificate in PEM format") }
            return all
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
