import Monitoring
import SwiftASN1
import Testing
import X509

@testable import Probing

struct CertificateFuzzTests {
    /// 2027; the certificates are valid until 2119.
    private static let now: Int64 = 1_800_000_000
    private static let identities = ["good.example", "a.wild.example", "other.example", "192.0.2.7", "2001:db8::7"]
        .map { PeerIdentity($0) }

    @Test func `a spoilt certificate is judged, and never trusted`() async throws {
        typealias Kept = FuzzCertificates
        let anchors = TrustAnchors([try Certificate(derEncoded: Kept.root)])
        // The lengths, tags and object identifiers that a parser believes.
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
            guard let peer = PeerCertificate(der: chain) else { return "malformed" }
            let identity = Self.identities[input.number(below: 5)]
            switch await peer.verdict(for: identity, by: anchors, at: Self.now) {
            case .good(let expiry):
                // A signature may be spoilt where nobody looks; what is signed may not.
                let isSigned = [Kept.server, Kept.direct].contains {
                    chain[0].contains($0[4..<8 + Int($0[6]) << 8 + Int($0[7])])
                }
                try hold(isSigned, "trusted")
                try hold(expiry.map { $0 > Self.now } == true, "expires at \(String(describing: expiry))")
                try hold(identity != Self.identities[2], "good for another name")
                return "good"
            case .bad(let failure):
                try holdShort(failure.detail)
                return failure.reason.rawValue
            case .unknown(let fault):
                throw FuzzFailure(description: "not the server's fault: \(fault)")
            }
        }
    }
}
