import SwiftASN1

/// An extension of a certificate (RFC 5280 §4.2.1).
enum CertificateExtension {
    /// The certificate is an authority's, with at most this many authorities below it.
    case authority(maxPathLength: Int?)
    /// The certificate is not an authority's.
    case noAuthority
    /// The key signs certificates.
    case signsCertificates
    /// The key signs handshakes.
    case signsHandshakes
    case usage(Usage)
    case names([AlternativeName])
    /// The authority may issue certificates for this domain only.
    case permits(domain: String)

    /// What the owner of a certificate is.
    enum Usage: UInt {
        case server = 1
        case client = 2
    }

    /// A name for which a certificate is valid.
    enum AlternativeName {
        case email(String)
        case dns(String)
        case address([UInt8])

        fileprivate var encoded: (tag: UInt, bytes: [UInt8]) {
            switch self {
            case .email(let text): (1, Array(text.utf8))
            case .dns(let text): (2, Array(text.utf8))
            case .address(let bytes): (7, bytes)
            }
        }
    }

    private var identifier: ASN1ObjectIdentifier {
        switch self {
        case .authority, .noAuthority: [2, 5, 29, 19]
        case .signsCertificates, .signsHandshakes: [2, 5, 29, 15]
        case .usage: [2, 5, 29, 37]
        case .names: [2, 5, 29, 17]
        case .permits: [2, 5, 29, 30]
        }
    }

    private var isCritical: Bool {
        switch self {
        case .usage, .names: false
        case .authority, .noAuthority, .signsCertificates, .signsHandshakes, .permits: true
        }
    }

    func append(to coder: inout DER.Serializer) throws {
        var value = DER.Serializer()
        try appendValue(to: &value)
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(identifier)
            if isCritical { try coder.serialize(true) }
            try coder.serialize(ASN1OctetString(contentBytes: value.serializedBytes[...]))
        }
    }

    private func appendValue(to coder: inout DER.Serializer) throws {
        switch self {
        case .authority(let maxPathLength):
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(true)
                if let maxPathLength { try coder.serialize(maxPathLength) }
            }
        case .noAuthority:
            coder.appendConstructedNode(identifier: .sequence) { _ in }
        case .signsCertificates:
            try coder.serialize(ASN1BitString(bytes: [0x04], paddingBits: 2))
        case .signsHandshakes:
            try coder.serialize(ASN1BitString(bytes: [0x80], paddingBits: 7))
        case .usage(let usage):
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize([1, 3, 6, 1, 5, 5, 7, 3, usage.rawValue] as ASN1ObjectIdentifier)
            }
        case .names(let names):
            coder.appendConstructedNode(identifier: .sequence) { coder in
                for name in names { Self.append(name, to: &coder) }
            }
        case .permits(let domain):
            coder.appendConstructedNode(identifier: .sequence) { coder in
                let permitted = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
                coder.appendConstructedNode(identifier: permitted) { coder in
                    coder.appendConstructedNode(identifier: .sequence) { Self.append(.dns(domain), to: &$0) }
                }
            }
        }
    }

    private static func append(_ name: AlternativeName, to coder: inout DER.Serializer) {
        let (tag, bytes) = name.encoded
        let identifier = ASN1Identifier(tagWithNumber: tag, tagClass: .contextSpecific)
        coder.appendPrimitiveNode(identifier: identifier) { $0 += bytes }
    }
}
