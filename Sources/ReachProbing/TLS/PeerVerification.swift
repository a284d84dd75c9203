#if TLS

import NIOCore
import NIOEmbedded
package import NIOSSL
import ReachBasics
package import ReachMonitoring
import SwiftASN1

/// The rules by which a peer's certificates are accepted.
struct PeerVerification {
    /// The trust that certificates are verified against.
    enum Trust: Sendable {
        /// Every certificate is accepted.
        case anything
        case anchors(TrustAnchors)
        /// The trusted authorities cannot be read.
        case unavailable(Fault)
    }

    let identity: PeerIdentity
    let trust: Trust

    /// Whether every certificate is accepted.
    var acceptsAnything: Bool {
        if case .anything = trust { true } else { false }
    }

    /// Returns the decision about a peer that sent these certificates in DER, its own first.
    func decision(on chain: [[UInt8]], at now: Int64) -> PeerDecision {
        switch (trust, PeerCertificate(der: chain)) {
        case (.anything, let peer):
            return .accept(peer.map { AcceptedCertificate(expiry: $0.validity.end, identity: $0.leaf.identity) })
        case (_, nil):
            return .reject(.failure(.malformedCertificate))
        case (.unavailable(let fault), _):
            return .reject(.fault(fault))
        case (.anchors(let anchors), let peer?):
            if let failure = peer.failure(as: identity, at: now) { return .reject(.failure(failure)) }
            do {
                let expiry = try peer.expiry(by: anchors, at: now)
                return .accept(AcceptedCertificate(expiry: expiry, identity: peer.leaf.identity))
            } catch {
                return .reject(.failure(error))
            }
        }
    }
}

extension Failure {
    static let malformedCertificate = Failure(.tlsFailed, detail: "the certificate is malformed")
}

extension PeerIdentity {
    /// Returns whether a certificate is valid for this identity (RFC 9525 §6). The common name does not count.
    func matches(_ certificate: CertificateFields) -> Bool {
        // Malformed names match nothing.
        guard let names = try? certificate.alternativeNames() else { return false }
        switch self {
        case .address(let address):
            return names.contains { $0.tag == 7 && $0.bytes.elementsEqual(address.bytes) }
        case .name(let name):
            return names.contains { $0.tag == 2 && Self.matches($0.bytes, name) }
        }
    }

    /// Returns whether a certificate name matches a host name. A wildcard is the whole first label (RFC 9525 §6.3).
    private static func matches(_ pattern: some Collection<UInt8>, _ host: String) -> Bool {
        let (pattern, host) = (labels(pattern), labels(host.utf8))
        // Host names have no underscore, but names in the DNS and in certificates do (RFC 2181 §11).
        let isHostName = host.joined().allSatisfy { $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }
        guard isHostName, pattern.dropFirst() == host.dropFirst() else { return false }
        return pattern[0] == host[0] || pattern[0].elementsEqual("*".utf8) && !host[0].isEmpty
    }

    /// Returns the first label of a name and the rest of it, in lower case and without a trailing dot.
    private static func labels(_ name: some Collection<UInt8>) -> [[UInt8]] {
        let dot = UInt8(ascii: ".")
        let name = name.map(\.asciiLowercased)
        let rooted = name.last == dot ? name.dropLast() : name[...]
        return rooted.split(separator: dot, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    }
}

// MARK: Clients whose chains BoringSSL builds and verifies

extension NIOSSLCertificate {
    /// Returns a certificate in OpenSSL's format of one with its trusted purposes: BoringSSL trusts it for servers even if
    /// it is not a root.
    static func anchor(_ der: [UInt8]) -> NIOSSLCertificate? {
        // SEQUENCE { SEQUENCE { id-kp-serverAuth } }
        let purposes: [UInt8] = [0x30, 0x0C, 0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
        let document = PEMDocument(type: "TRUSTED CERTIFICATE", derBytes: der + purposes)
        return try? NIOSSLCertificate.fromPEMBytes(Array(document.pemString.utf8)).first
    }

    /// Returns the certificates of a CA file that are valid now, each trusted whether it is a root or not. BoringSSL may
    /// prefer an expired authority to a valid one of the same name, and ignores the validity of one that is not a root.
    package static func anchors(_ certificates: [NIOSSLCertificate]) -> [NIOSSLCertificate] {
        let now = TLSContexts.systemTime()
        return certificates.compactMap { certificate in
            guard let der = try? certificate.toDERBytes(), let fields = try? CertificateFields(der: der),
                fields.validity.failure(at: now) == nil
            else { return nil }
            return fields.isAuthority ? anchor(der) : certificate
        }
    }

    /// Returns why this certificate, whose chain BoringSSL has verified, does not identify a server; nil if it does.
    package func failure(of host: String) -> Failure? {
        guard let der = try? toDERBytes(), let peer = PeerCertificate(der: [der]) else { return .malformedCertificate }
        return peer.failure(as: PeerIdentity(host), at: TLSContexts.systemTime()) ?? peer.weakness()
    }
}

/// The verification of one path of certificates by BoringSSL, without a connection.
///
/// SwiftNIO SSL has no function for this, and BoringSSL builds one path from what the peer sent, which may be the wrong one.
/// So a client in memory receives the messages of a TLS 1.2 server that sends exactly the certificates of the path. The
/// client verifies them before it reads the next message, the server's key exchange (RFC 5246 §7.3), which has a curve that
/// no client accepts: the error about the curve proves that the certificates are valid. Any other result is a rejection.
enum PathVerification {
    private enum Message: UInt8 {
        case serverHello = 2
        case certificate = 11
        case serverKeyExchange = 12
    }

    /// The maximum length of a record (RFC 5246 §6.2.1).
    private static let maxRecordLength = 16_384

    /// Returns whether BoringSSL accepts a path.
    ///
    /// - Parameters:
    ///   - path: The leaf and its authorities, each with its issuer after it, without the anchor.
    ///   - context: A context for TLS 1.2 that trusts the anchor.
    static func accepts(_ path: [CertificateFields], by context: NIOSSLContext) -> Bool {
        guard let leaf = path.first, let handler = try? NIOSSLClientHandler(context: context, serverHostname: nil),
            let address = try? SocketAddress(ipAddress: "127.0.0.1", port: 443)
        else { return false }
        let channel = EmbeddedChannel(handler: handler)
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        channel.connect(to: address, promise: nil)
        do {
            try channel.writeInbound(ByteBuffer(bytes: records(of: flight(of: path, isRSA: leaf.hasRSAKey))))
        } catch NIOSSLError.handshakeFailed(.sslError(let errors)) {
            return errors.contains { $0.description.contains(":WRONG_CURVE ") }
        } catch {}
        return false
    }

    private static func flight(of path: [CertificateFields], isRSA: Bool) -> [UInt8] {
        // TLS_ECDHE_RSA or TLS_ECDHE_ECDSA with AES_128_GCM_SHA256, by the kind of the leaf's key.
        let suite: [UInt8] = [0xC0, isRSA ? 0x2F : 0x2B]
        // Version 1.2, a random number, no session, the suite, no compression.
        let hello = [0x03, 0x03] + [UInt8](repeating: 0, count: 32) + [0] + suite + [0]
        let certificates = path.flatMap { length($0.der.count) + $0.der }
        // A named curve with an unassigned number, and a point.
        let keyExchange: [UInt8] = [0x03, 0xFF, 0xFF, 0x01, 0x04]
        return message(.serverHello, hello)
            + message(.certificate, length(certificates.count) + certificates)
            + message(.serverKeyExchange, keyExchange)
    }

    private static func message(_ type: Message, _ body: [UInt8]) -> [UInt8] {
        [type.rawValue] + length(body.count) + body
    }

    /// A length of three bytes.
    private static func length(_ count: Int) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8),
            UInt8(truncatingIfNeeded: count),
        ]
    }

    private static func records(of messages: [UInt8]) -> [UInt8] {
        stride(from: 0, to: messages.count, by: maxRecordLength).flatMap { start in
            let fragment = messages[start..<min(start + maxRecordLength, messages.count)]
            // Handshake, version 1.2, and the length of the fragment.
            return [0x16, 0x03, 0x03] + length(fragment.count).dropFirst() + fragment
        }
    }
}

#endif
