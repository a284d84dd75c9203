#if TLS

import ReachMonitoring
import ReachSystem
import SwiftASN1

/// The fields of a certificate (RFC 5280 §4.1) that verdicts need. Signatures are not verified here.
struct CertificateFields: Sendable {
    private struct Extension {
        let isCritical: Bool
        let value: ArraySlice<UInt8>
    }

    /// The whole certificate.
    let der: [UInt8]
    /// The bytes of the serial number.
    let serialNumber: ArraySlice<UInt8>
    /// The distinguished name of the issuer, in DER.
    let issuer: ArraySlice<UInt8>
    /// The distinguished name of the subject, in DER.
    let subject: ArraySlice<UInt8>
    let validity: CertificateValidity
    /// The algorithm of the issuer's signature.
    let signatureAlgorithm: ASN1ObjectIdentifier
    /// The public key with its algorithm.
    let publicKey: ASN1Node
    /// The names in the form that equal names share.
    let issuerName: CanonicalName
    let subjectName: CanonicalName
    private let isVersion1: Bool
    private let extensions: [ASN1ObjectIdentifier: Extension]

    /// Parses a certificate. Throws if it is malformed.
    init(der: [UInt8]) throws {
        self.der = der
        let parts = try DER.parse(der).children
        guard parts.count == 3 else { throw ASN1Error.invalidASN1Object(reason: "not a certificate") }
        var fields = try parts[0].children[...]
        func next() throws -> ASN1Node {
            guard let field = fields.popFirst() else { throw ASN1Error.invalidASN1Object(reason: "too few fields") }
            return field
        }
        isVersion1 = try next().identifier != .context(0)
        // Without a version, the serial number was the first field.
        let serial = isVersion1 ? try parts[0].children.first : try next()
        serialNumber = serial?.primitive ?? []
        guard let algorithm = try next().children.first?.objectIdentifier else {
            throw ASN1Error.invalidASN1Object(reason: "no signature algorithm")
        }
        signatureAlgorithm = algorithm
        issuer = try next().encodedBytes
        let times = try next().children
        guard times.count == 2 else { throw ASN1Error.invalidASN1Object(reason: "not two times") }
        validity = CertificateValidity(start: try times[0].seconds, end: try times[1].seconds)
        subject = try next().encodedBytes
        publicKey = try next()
        issuerName = CanonicalName(der: issuer)
        subjectName = issuer == subject ? issuerName : CanonicalName(der: subject)
        var extensions: [ASN1ObjectIdentifier: Extension] = [:]
        for node in try fields.first(where: { $0.identifier == .context(3) })?.children.first?.children ?? [] {
            try DER.sequence(node, identifier: .sequence) { parts in
                let id = try ASN1ObjectIdentifier(derEncoded: &parts)
                let isCritical: Bool = try DER.decodeDefault(&parts, defaultValue: false)
                let value = Extension(isCritical: isCritical, value: try ASN1OctetString(derEncoded: &parts).bytes)
                guard extensions.updateValue(value, forKey: id) == nil else {
                    throw ASN1Error.invalidASN1Object(reason: "repeated extension")
                }
            }
        }
        self.extensions = extensions
    }

    /// Returns the parsed value of an extension; nil if the certificate has none.
    private func value(of id: ASN1ObjectIdentifier) throws -> ASN1Node? {
        try extensions[id].map { try DER.parse($0.value) }
    }
}

// MARK: Names

extension CertificateFields {
    /// Whether the issuer and the subject have the same name.
    var isSelfIssued: Bool { issuerName == subjectName }

    /// Returns the subject alternative names, each with its tag: 2 for DNS names, 7 for IP addresses.
    func alternativeNames() throws -> [(tag: UInt, bytes: ArraySlice<UInt8>)] {
        try (value(of: .alternativeNames)?.children ?? []).map { ($0.identifier.tagNumber, $0.primitive ?? []) }
    }

    /// Its name and its issuer for reports.
    var identity: CertificateIdentity {
        let host = (try? alternativeNames())?.lazy.compactMap { name in
            switch name.tag {
            case 2: String(quoting: name.bytes)
            case 7: IPAddress(bytes: name.bytes).map { "\($0)" }
            default: nil
            }
        }.first
        let serial = serialNumber.drop { $0 == 0 }
        let number = serial.isEmpty ? "0" : serial.prefix(6).hexadecimal + (serial.count > 6 ? "…" : "")
        return CertificateIdentity(
            name: "\(host ?? DistinguishedName.shortName(of: subject) ?? "without a name"), serial \(number)",
            issuer: isSelfIssued ? nil : DistinguishedName.shortName(of: issuer)
        )
    }

    /// Returns whether `other` may be the issuer, by its name and key identifier (RFC 5280 §4.2.1.1).
    func canBeIssued(by other: CertificateFields) -> Bool {
        guard issuerName == other.subjectName else { return false }
        let expected = try? value(of: .authorityKey)?.children.first { $0.identifier == .context(0) }?.primitive
        let key = try? other.value(of: .subjectKey)?.primitive
        return expected == nil || key == nil || expected == key
    }
}

// MARK: Rules

extension CertificateFields {
    /// Whether the certificate may sign others (RFC 5280 §4.2.1.3 and 9).
    var isAuthority: Bool {
        guard isVersion1 ? isSelfIssued : allowsUsage(0x04) else { return false }
        // SEQUENCE { BOOLEAN, INTEGER OPTIONAL }; DER omits the default, false.
        return isVersion1 || (try? value(of: .basicConstraints)?.children.first?.identifier) == .boolean
    }

    /// Whether its key usages, if any, permit TLS servers (RFC 5280 §4.2.1.3 and 12).
    var isForServers: Bool {
        allowsUsage(0x80 | 0x20 | 0x08) && allowsPurposeOfServers
    }

    /// Returns whether this authority permits a TLS leaf below it, with this number of authorities in between that are
    /// not self-issued. Constraints of names and policies are left to BoringSSL.
    func permits(authoritiesBelow count: Int) -> Bool {
        let limit = try? value(of: .basicConstraints)?.children.last { $0.identifier == .integer }
        return isAuthority && allowsPurposeOfServers && !hasUnknownCriticalExtension
            && limit.map { ((try? Int(derEncoded: $0)) ?? 0) >= count } != false
    }

    /// Whether it has constraints of names or policies.
    var hasConstraints: Bool {
        [.nameConstraints, .policyConstraints, .inhibitAnyPolicy].contains { extensions[$0] != nil }
    }

    /// Whether it has a critical extension that BoringSSL does not support and must reject.
    var hasUnknownCriticalExtension: Bool {
        let known: [ASN1ObjectIdentifier] = [
            .keyUsage, .alternativeNames, .basicConstraints, .policies, .extendedKeyUsage, .policyConstraints,
            .nameConstraints, .policyMappings, .inhibitAnyPolicy,
        ]
        return extensions.contains { $0.value.isCritical && !known.contains($0.key) }
    }

    /// Returns whether the key has one of these usages, given as bits of the first byte. Without the extension it has
    /// all.
    private func allowsUsage(_ bits: UInt8) -> Bool {
        guard extensions[.keyUsage] != nil else { return true }
        let usages = (try? value(of: .keyUsage)).flatMap { $0 }.flatMap { try? ASN1BitString(derEncoded: $0) }
        return (usages?.bytes.first ?? 0) & bits != 0
    }

    private var allowsPurposeOfServers: Bool {
        guard extensions[.extendedKeyUsage] != nil else { return true }
        let purposes = (try? value(of: .extendedKeyUsage)?.children) ?? []
        return purposes.contains { $0.objectIdentifier == [1, 3, 6, 1, 5, 5, 7, 3, 1] }
    }
}

// MARK: DER

extension ASN1ObjectIdentifier {
    fileprivate static let subjectKey: ASN1ObjectIdentifier = [2, 5, 29, 14]
    fileprivate static let keyUsage: ASN1ObjectIdentifier = [2, 5, 29, 15]
    fileprivate static let alternativeNames: ASN1ObjectIdentifier = [2, 5, 29, 17]
    fileprivate static let basicConstraints: ASN1ObjectIdentifier = [2, 5, 29, 19]
    fileprivate static let nameConstraints: ASN1ObjectIdentifier = [2, 5, 29, 30]
    fileprivate static let policies: ASN1ObjectIdentifier = [2, 5, 29, 32]
    fileprivate static let policyMappings: ASN1ObjectIdentifier = [2, 5, 29, 33]
    fileprivate static let authorityKey: ASN1ObjectIdentifier = [2, 5, 29, 35]
    fileprivate static let policyConstraints: ASN1ObjectIdentifier = [2, 5, 29, 36]
    fileprivate static let extendedKeyUsage: ASN1ObjectIdentifier = [2, 5, 29, 37]
    fileprivate static let inhibitAnyPolicy: ASN1ObjectIdentifier = [2, 5, 29, 54]
}

extension ASN1Identifier {
    fileprivate static func context(_ tag: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: tag, tagClass: .contextSpecific)
    }
}

extension ASN1Node {
    /// The child nodes. Throws if the node is primitive.
    var children: [ASN1Node] {
        get throws {
            guard case .constructed(let nodes) = content else { throw ASN1Error.unexpectedFieldType(identifier) }
            return Array(nodes)
        }
    }

    /// The bytes of a primitive node; nil if the node is constructed.
    var primitive: ArraySlice<UInt8>? {
        if case .primitive(let bytes) = content { bytes } else { nil }
    }

    var objectIdentifier: ASN1ObjectIdentifier? {
        try? ASN1ObjectIdentifier(derEncoded: self)
    }

    /// The value of a time (RFC 5280 §4.1.2.5) in seconds since 1970.
    fileprivate var seconds: Int64 {
        get throws {
            var fields = tm()
            if identifier == .utcTime {
                let time = try UTCTime(derEncoded: self)
                fields.set(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
            } else {
                let time = try GeneralizedTime(derEncoded: self)
                fields.set(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
            }
            return Int64(timegm(&fields))
        }
    }
}

extension tm {
    fileprivate mutating func set(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) {
        (tm_year, tm_mon, tm_mday) = (Int32(year - 1_900), Int32(month - 1), Int32(day))
        (tm_hour, tm_min, tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    }
}

// MARK: Strength of keys and signatures. OpenSSL at any security level, Go and browsers reject the weak ones.

extension CertificateFields {
    /// The minimum length of an RSA key in bits.
    private static let minRSABits = 1_024

    /// Signature algorithms whose hash function is broken.
    private static let weakSignatures: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113_549, 1, 1, 2]: "MD2", [1, 2, 840, 113_549, 1, 1, 3]: "MD4",
        [1, 2, 840, 113_549, 1, 1, 4]: "MD5",
        [1, 2, 840, 113_549, 1, 1, 5]: "SHA-1", [1, 3, 14, 3, 2, 29]: "SHA-1", [1, 2, 840, 10_040, 4, 3]: "SHA-1",
        [1, 2, 840, 10_045, 4, 1]: "SHA-1",
    ]

    /// Algorithms of keys that BoringSSL does not have.
    private static let unsupportedKeys: [ASN1ObjectIdentifier: String] = [
        [1, 3, 101, 113]: "Ed448", [1, 2, 840, 113_549, 1, 1, 10]: "RSA-PSS", [1, 2, 840, 10_040, 4, 1]: "DSA",
    ]

    /// Why the issuer's signature is weak: `signed with SHA-1`; nil if it is not.
    var signatureWeakness: String? {
        Self.weakSignatures[signatureAlgorithm].map { "signed with \($0)" }
    }

    /// Why the key is weak: `RSA key of 512 bits`; nil if it is not.
    var keyWeakness: String? {
        rsaBits.flatMap { $0 < Self.minRSABits ? "RSA key of \($0) bits" : nil }
    }

    /// The name of the key's algorithm if BoringSSL does not have it.
    var unsupportedKey: String? {
        keyAlgorithm.flatMap { Self.unsupportedKeys[$0] }
    }

    /// Whether the signature is by RSA-PSS. BoringSSL, as Go, verifies it only if its salt is as long as the hash.
    var isSignedByPSS: Bool { signatureAlgorithm == [1, 2, 840, 113_549, 1, 1, 10] }

    /// Whether the key is an RSA key.
    var hasRSAKey: Bool { keyAlgorithm == [1, 2, 840, 113_549, 1, 1, 1] }

    /// SEQUENCE { SEQUENCE { OBJECT IDENTIFIER, parameters }, BIT STRING } (RFC 5280 §4.1).
    private var keyAlgorithm: ASN1ObjectIdentifier? {
        try? publicKey.children.first?.children.first?.objectIdentifier
    }

    /// The length of an RSA key (RFC 8017 §A.1.1); nil for another key.
    private var rsaBits: Int? {
        guard hasRSAKey, let node = try? publicKey.children.last, let key = try? ASN1BitString(derEncoded: node),
            let modulus = try? DER.parse(key.bytes).children.first?.primitive?.drop(while: { $0 == 0 })
        else { return nil }
        return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    }
}

#endif
