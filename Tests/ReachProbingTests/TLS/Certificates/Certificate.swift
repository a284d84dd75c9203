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

/// A P-256 key, made by `openssl`, which signs with it too.
final class SigningKey: Sendable {
    /// The key as the text of a PEM file.
    let pem: String
    /// The public key in DER (RFC 5280 §4.1.2.7).
    let publicKeyInfo: [UInt8]
    private let file: URL

    init() throws {
        let generated = try Self.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout")
        pem = String(decoding: generated, as: UTF8.self)
        file = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID().uuidString).pem")
        try generated.write(to: file)
        publicKeyInfo = Array(try Self.openssl("ec", "-pubout", "-outform", "DER", input: generated))
    }

    deinit {
        try? FileManager.default.removeItem(at: file)
    }

    /// The ECDSA signature of the SHA-256 of bytes, in DER.
    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        Array(try Self.openssl("dgst", "-sha256", "-sign", file.path, input: Data(bytes)))
    }

    /// Runs `openssl`, and returns its output.
    private static func openssl(_ arguments: String..., input: Data = Data()) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Less than a pipe holds.
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        let result = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw OpenSSLFailure(arguments: arguments.joined(separator: " "), output: "")
        }
        return result
    }
}
