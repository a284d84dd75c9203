#if Fetch || TLS
import NIOCore
import NIOEmbedded
import NIOSSL

/// The verification of one path of certificates by BoringSSL, without a connection.
///
/// SwiftNIO SSL has no function for this, and BoringSSL builds one path from what the peer sent, which may be the wrong one.
/// So a client in memory receives the messages of a TLS 1.2 server that sends exactly the certificates of the path. The
/// client verifies them before it reads the next message, the server's key exchange (RFC 5246 §7.3), which has a curve that
/// no client accepts: the error about the curve is the proof that the certificates are valid. Any other result is a refusal.
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
        // TLS_ECDHE_RSA or TLS_ECDHE_ECDSA with AES_128_GCM_SHA256: the suite has the kind of the leaf's key.
        let suite: [UInt8] = [0xC0, isRSA ? 0x2F : 0x2B]
        // Version 1.2, a random number, no session, the suite, no compression.
        let hello = [0x03, 0x03] + [UInt8](repeating: 0, count: 32) + [0] + suite + [0]
        let certificates = path.flatMap { length($0.der.count) + $0.der }
        // A named curve, a number that none has, and a point.
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
