import Monitoring
import NIOSSL

extension PeerCertificate {
    /// Judges what a peer sent, its own certificate first.
    ///
    /// - Parameter anchors: the authorities that are trusted, when they are read; nil to let everything pass.
    static func verdict(
        on chain: [NIOSSLCertificate],
        of identity: PeerIdentity,
        by anchors: Task<TrustAnchorFile, Never>?,
        at now: Int64
    ) async -> CertificateVerdict {
        let peer = PeerCertificate(der: chain.prefix(mostAuthorities + 1).map { (try? $0.toDERBytes()) ?? [] })
        guard let anchors else { return .good(expiry: peer?.life.end) }
        guard let peer else { return .bad(Failure(.tlsFailed, detail: "the certificate is malformed")) }
        switch await anchors.value.result {
        case .success(let anchors): return await peer.verdict(for: identity, by: anchors, at: now)
        case .failure(let fault): return .unknown(fault)
        }
    }
}
