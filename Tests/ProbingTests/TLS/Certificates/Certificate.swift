import Foundation
import SwiftASN1

/// A certificate for a P-256 key (RFC 5280 §4.1).
struct Certificate: Sendable {
    let der: [UInt8]

    /// The certificate as the text of a PEM file.
    var pem: String { PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n" }

    /// Signs a certificate.
    ///
    /// - Parameters:
    ///   - subject: the common name of the owner.
    ///   - key: the key of the owner.
    ///   - issuer: the common name of the authority.
    ///   - issuerKey: the key of the authority.
    ///   - start, days: the days from now to the beginning and to the end of its validity.
    init(
        of subject: String,
        key: SigningKey,
        by issuer: String,
        issuerKey: SigningKey,
        from start: Double,
        days: Double,
        extensions: [CertificateExtension]
    ) throws {
        var body = DER.Serializer()
        try body.appendConstructedNode(identifier: .sequence) { body in
            // Version 3.
            try body.serialize(2, explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific)
            try body.serialize(Int.random(in: 1...Int.max))
            try Self.appendAlgorithm(to: &body)
            try Self.append(name: issuer, to: &body)
            try body.appendConstructedNode(identifier: .sequence) { validity in
                for days in [start, days] { try validity.serialize(Self.time(inDays: days)) }
            }
            try Self.append(name: subject, to: &body)
            body.serializeRawBytes(key.publicKeyInfo)
            let list = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
            try body.appendConstructedNode(identifier: list) { list in
                try list.appendConstructedNode(identifier: .sequence) { list in
                    for entry in extensions { try entry.append(to: &list) }
                }
            }
        }
        let signature = try issuerKey.signature(of: body.serializedBytes)
        var whole = DER.Serializer()
        try whole.appendConstructedNode(identifier: .sequence) { whole in
            whole.serializeRawBytes(body.serializedBytes)
            try Self.appendAlgorithm(to: &whole)
            try whole.serialize(ASN1BitString(bytes: signature[...]))
        }
        der = whole.serializedBytes
    }

    /// ECDSA with SHA-256 (RFC 5758 §3.2).
    private static func appendAlgorithm(to coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) {
            try $0.serialize([1, 2, 840, 10045, 4, 3, 2] as ASN1ObjectIdentifier)
        }
    }

    /// A distinguished name of a common name alone.
    private static func append(name: String, to coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { parts in
            try parts.appendConstructedNode(identifier: .set) { part in
                try part.appendConstructedNode(identifier: .sequence) { part in
                    try part.serialize([2, 5, 4, 3] as ASN1ObjectIdentifier)
                    try part.serialize(ASN1UTF8String(name))
                }
            }
        }
    }

    private static func time(inDays days: Double) throws -> UTCTime {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSinceNow: 86_400 * days)
        )
        return try UTCTime(
            year: parts.year ?? 0,
            month: parts.month ?? 0,
            day: parts.day ?? 0,
            hours: parts.hour ?? 0,
            minutes: parts.minute ?? 0,
            seconds: parts.second ?? 0
        )
    }
}
