import Monitoring
import Testing

@testable import Probing

struct CertificateFuzzTests {
    /// 2027; the certificates are valid until 2119.
    private static let now: Int64 = 1_800_000_000
    private static let identities = ["good.example", "a.wild.example", "other.example", "192.0.2.7", "2001:db8::7"]
        .map { PeerIdentity($0) }

    @Test func `a mutated certificate is judged, and never trusted`() async throws {
        typealias Kept = FuzzCertificates
        let anchors = TrustAnchors(der: [Kept.root])
        // Lengths, tags and object identifiers.
        let words: [[UInt8]] = [
            [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x06, 0x03, 0x55, 0x1D, 0x11], [0x05, 0],
        ]
        let fuzz = Fuzz(
            name: "certificate",
            corpus: [Kept.server, Kept.direct, Kept.selfSigned],
            words: words,
            cost: 10
        )
        await fuzz.run(often: ["good", "malformed", "certificate_untrusted", "certificate_name"]) { input in
            let chains = [
                [input.bytes, Kept.middle], [input.bytes], [Kept.server, input.bytes, Kept.middle, Kept.root],
            ]
            let chain = chains[input.number(below: 3)]
            let identity = Self.identities[input.number(below: 5)]
            guard let decision = try Self.decision(on: chain, of: identity, by: anchors) else { return "malformed" }
            switch decision {
            case .accept(let expiry):
                // Unverified parts of a signature may be mutated; the signed data may not.
                let isSigned = [Kept.server, Kept.direct].contains { (good: [UInt8]) in
                    let end: Int = 8 + Int(good[6]) << 8 + Int(good[7])
                    return chain[0].contains(good[4..<end])
                }
                try hold(isSigned, "trusted")
                try hold(expiry.map { $0 > Self.now } == true, "expires at \(String(describing: expiry))")
                try hold(identity != Self.identities[2], "good for another name")
                return "good"
            case .reject(.failure(let failure)):
                try holdShort(failure.detail)
                return failure.reason == .tlsFailed ? "malformed" : failure.reason.rawValue
            case .reject:
                throw FuzzFailure(description: "not the server's failure: \(decision)")
            }
        }
    }

    /// Returns the decision on a server's certificates; nil if they are malformed.
    private static func decision(
        on chain: [[UInt8]],
        of identity: PeerIdentity,
        by anchors: TrustAnchors
    ) throws -> PeerDecision? {
        for key in [FuzzCertificates.serverKey, FuzzCertificates.selfSignedKey] {
            guard let server = MemoryHandshake(chain: chain, key: key) else { continue }
            return try server.decision(for: identity, by: anchors, at: now)
        }
        // No server can have this certificate: only its description is checked.
        guard let peer = PeerCertificate(der: chain) else { return nil }
        if let failure = peer.failure(as: identity, at: now) { return .reject(.failure(failure)) }
        do {
            return .accept(expiry: try peer.expiry(by: anchors, at: now))
        } catch {
            return .reject(.failure(error))
        }
    }
}
