import SwiftASN1
import X509

/// Asks nothing, so that another policy is asked alone.
struct Indifference: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    init(to certificate: Certificate) {
        verifyingCriticalExtensions = certificate.extensions.filter(\.critical).map(\.oid)
    }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        .meetsPolicy
    }
}
