#if TLS

import NIOCore
package import NIOSSL
import ReachMonitoring
import Synchronization

/// The TLS contexts of an event loop, and the trusted authorities of the process. Files are read off the loop. Confined
/// to its event loop.
final class TLSContexts {
    /// The properties that connections with one context share.
    private struct Kind: Hashable {
        let oldest: TLSVersion
        let protocols: [String]
    }

    private let gate: LoopGate
    private let wallTime: @Sendable () -> Int64
    /// The contexts without a client certificate, by kind. The peer is verified by ``PeerVerification``.
    private var contexts: [Kind: NIOSSLContext] = [:]
    /// The authorities of each file. All event loops of the process share them, because the system's are slow to read.
    private static let anchors = FileCache<TrustAnchors>()
    private static let certificates = FileCache<ClientCertificate>()

    /// - Parameter wallTime: returns the seconds since 1970, for expiry. BoringSSL itself uses the system's clock.
    init(gate: LoopGate, wallTime: @escaping @Sendable () -> Int64) {
        self.gate = gate
        self.wallTime = wallTime
    }

    /// The seconds since 1970.
    var now: Int64 { wallTime() }

    /// Loads the files for these options off the loop, and calls `then` on the loop with the client for a connection to
    /// this peer, or with the fault of the client certificate.
    ///
    /// - Parameter protocols: the protocols to offer; only without verification.
    func makeClient(
        for identity: PeerIdentity,
        _ options: TLSOptions,
        offering protocols: [String] = [],
        then: @escaping (Result<TLSClient, Fault>) -> Void
    ) {
        load(for: options) { [weak self] files in
            guard let self else { return }
            then(files.map { TLSClient(of: identity, by: $0, offering: protocols, contexts: self) })
        }
    }

    /// The files of a connection: the trusted authorities, and the certificate that it presents.
    struct Files: Sendable {
        let trust: PeerVerification.Trust
        let certificate: ClientCertificate?
    }

    /// Loads the files for these options off the loop, and calls `then` with them on the loop, or with the fault of the
    /// client certificate.
    private func load(for options: TLSOptions, then: @escaping (Result<Files, Fault>) -> Void) {
        let anchors: Task<CachedFile<TrustAnchors>, Never>?
        let certificate: Task<CachedFile<ClientCertificate>, Never>?
        do throws(Fault) {
            anchors = options.verifies ? try self.anchors(in: AuthorityFiles(options.ca)) : nil
        } catch {
            return then(.success(Files(trust: .unavailable(error), certificate: nil)))
        }
        do throws(Fault) {
            certificate = try ClientCertificateFiles(options).map { files throws(Fault) in
                try Self.certificates.file(files)
            }
        } catch {
            return then(.failure(error))
        }
        guard anchors != nil || certificate != nil else {
            return then(.success(Files(trust: .anything, certificate: nil)))
        }
        let gate = gate
        let bound = NIOLoopBound(then, eventLoop: gate.loop)
        Task.detached {
            let trust: PeerVerification.Trust =
                switch await anchors?.value.result {
                case nil: .anything
                case .success(let anchors): .anchors(anchors)
                case .failure(let fault): .unavailable(fault)
                }
            let files: Result<Files, Fault> =
                switch await certificate?.value.result {
                case nil: .success(Files(trust: trust, certificate: nil))
                case .success(let certificate): .success(Files(trust: trust, certificate: certificate))
                case .failure(let fault): .failure(fault)
                }
            gate.enter { bound.value(files) }
        }
    }

    /// Returns a new TLS handler for one connection.
    ///
    /// - Parameters:
    ///   - certificate: the certificate for a server that requests one.
    ///   - protocols: the protocols to offer (ALPN, RFC 7301).
    ///   - accepts: returns whether a peer is accepted that sent these certificates in DER, its own first.
    func makeHandler(
        for verification: PeerVerification,
        presenting certificate: ClientCertificate?,
        offering protocols: [String] = [],
        accepts: @escaping ([[UInt8]]) -> Bool
    ) throws -> NIOSSLClientHandler {
        // Versions before 1.2 are deprecated (RFC 8996). They are accepted only without verification, for old devices.
        let oldest = verification.acceptsAnything ? TLSVersion.tlsv1 : .tlsv12
        let base = try context(oldest: oldest, offering: protocols)
        let context = try certificate?.context(inPlaceOf: base) {
            try Self.makeContext(oldest: oldest, presenting: certificate, offering: protocols)
        }
        return try NIOSSLClientHandler(
            context: context ?? base,
            serverHostname: verification.identity.requestedName,
            customVerificationCallback: { chain, promise in
                let chain = chain.map { (try? $0.toDERBytes()) ?? [] }
                promise.succeed(accepts(chain) ? .certificateVerified : .failed)
            }
        )
    }

    /// Clears the caches of authorities and certificates. The next use reads each file again, even if it seems
    /// unchanged.
    func rereadFiles() {
        Self.anchors.removeAll()
        Self.certificates.removeAll()
    }

    private func context(oldest: TLSVersion, offering protocols: [String]) throws -> NIOSSLContext {
        let kind = Kind(oldest: oldest, protocols: protocols)
        if let context = contexts[kind] { return context }
        let context = try Self.makeContext(oldest: oldest, offering: protocols)
        contexts[kind] = context
        return context
    }

    /// Returns a new context that verifies chains, but not the names of peers.
    static func makeContext(
        trusting authorities: [NIOSSLCertificate] = [],
        oldest: TLSVersion = .tlsv12,
        newest: TLSVersion? = nil,
        presenting certificate: ClientCertificate? = nil,
        offering protocols: [String] = []
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = oldest
        configuration.maximumTLSVersion = newest
        configuration.acceptAllAlgorithms()
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates(authorities)
        configuration.shutdownTimeout = .seconds(1)
        configuration.applicationProtocols = protocols
        certificate?.add(to: &configuration)
        return try NIOSSLContext(configuration: configuration)
    }

    /// Returns the authorities of files, which are read again if they have changed.
    ///
    /// - Throws: The fault of a file that does not respond.
    func anchors(in files: AuthorityFiles) throws(Fault) -> Task<CachedFile<TrustAnchors>, Never> {
        try Self.anchors.file(files)
    }
}

extension TLSConfiguration {
    /// Accepts the curves and the signatures of handshakes that OpenSSL accepts by default, as far as BoringSSL has them.
    /// BoringSSL's own default leaves Ed25519 and P-521 out, and it has neither Ed448 nor RSA-PSS keys.
    package mutating func acceptAllAlgorithms() {
        curves = [.x25519_MLKEM768, .x25519, .secp256r1, .secp384r1, .secp521r1]
        verifySignatureAlgorithms = [
            .ecdsaSecp256R1Sha256, .rsaPssRsaeSha256, .rsaPkcs1Sha256, .ecdsaSecp384R1Sha384, .rsaPssRsaeSha384,
            .rsaPkcs1Sha384, .ed25519, .ecdsaSecp521R1Sha512, .rsaPssRsaeSha512, .rsaPkcs1Sha512, .rsaPkcs1Sha1,
        ]
    }
}

#endif
