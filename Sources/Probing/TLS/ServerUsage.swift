import SwiftASN1
import X509

/// A certificate that says what it is for must say that it is for servers (RFC 5280 §4.2.1.12).
struct ServerUsage: VerifierPolicy {
    /// Policies (RFC 5280 §4.2.1.4, 11 and 14) restrict nothing for whoever asks for no particular one, as we do.
    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] {
        [.X509ExtensionID.extendedKeyUsage, [2, 5, 29, 32], [2, 5, 29, 36], [2, 5, 29, 54]]
    }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        Self.permits(chain.leaf) ? .meetsPolicy : .failsToMeetPolicy(reason: "not for servers")
    }

    static func permits(_ certificate: Certificate) -> Bool {
        do {
            guard let usage = try certificate.extensions.extendedKeyUsage else { return true }
            return usage.contains(.serverAuth) || usage.contains(.any)
        } catch {
            return false
        }
    }
}
