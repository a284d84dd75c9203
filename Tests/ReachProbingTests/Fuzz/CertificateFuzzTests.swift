import Foundation
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import ReachMonitoring
import Testing

@testable import ReachProbing

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
            case .accept(let certificate):
                // Unverified parts of a signature may be mutated; the signed data may not.
                let isSigned = [Kept.server, Kept.direct].contains { (good: [UInt8]) in
                    let end: Int = 8 + Int(good[6]) << 8 + Int(good[7])
                    return chain[0].contains(good[4..<end])
                }
                try hold(isSigned, "trusted")
                let expiry = certificate?.expiry ?? 0
                try hold(expiry > Self.now, "expires at \(expiry)")
                try holdShort(certificate?.identity.name ?? "")
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
            let expiry = try peer.expiry(by: anchors, at: now)
            return .accept(AcceptedCertificate(expiry: expiry, identity: peer.leaf.identity))
        } catch {
            return .reject(.failure(error))
        }
    }
}

/// Fixed certificates, valid from 2020 to 2119: an input depends only on its number, and therefore needs the same
/// bytes.
enum FuzzCertificates {
    /// A trusted authority.
    static let root = der(
        """
        MIIBYzCCAQqgAwIBAgIUN8je87AMM48OdA8bqhusOZa/zsswCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAgFw0yMDAxMDEwMDAwMDBaGA8\
        yMTIwMDEwMTAwMDAwMFowDzENMAsGA1UEAwwEUm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOzM6ybJVFIddPhzHMYaexbCZ5wMq6n4Wk\
        J3ESkj3ejlgiR8IgHVGfUNGOq4Odq+lzHE74ICyCmyO4nenWACqryjQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdD\
        gQWBBQCbW1PzbXLOJB8oJBymngt/CRilTAKBggqhkjOPQQDAgNHADBEAh8DkDhGRxg2o8JuMpbLq2Rux+A7Cs24D+0RVS/Tnn7hAiEAwlZvu1tX\
        nxSOAgG1a+teWTHsi4eV4l1lPnB3z5eiMxo=
        """
    )
    /// An intermediate authority of ``root``, for names under `example` only.
    static let middle = der(
        """
        MIIBwjCCAWmgAwIBAgIUCO5jjE4+DKfqC7FOWJlTX/rzA40wCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAgFw0yMDAxMDEwMDAwMDBaGA8\
        yMTIwMDEwMTAwMDAwMFowMjEPMA0GA1UEAwwGTWlkZGxlMRIwEAYDVQQKDAlNaWRkbGUgw7wxCzAJBgNVBAYTAkRFMFkwEwYHKoZIzj0CAQYIKo\
        ZIzj0DAQcDQgAEpIlt7MYGZ/xswiECNric4Id7DS1Pv3/OKfg/h4Mo+bNJk8N5jtsvoGlOQLxsvFrgpBE5D0Q0jYaJwS3QO4/0OaN+MHwwEgYDV\
        R0TAQH/BAgwBgEB/wIBADAOBgNVHQ8BAf8EBAMCAgQwFgYDVR0eBA8wDaALMAmCB2V4YW1wbGUwHQYDVR0OBBYEFHHofEQ65tsNolNnvw2OLL+e\
        CxjOMB8GA1UdIwQYMBaAFAJtbU/Ntcs4kHygkHKaeC38JGKVMAoGCCqGSM49BAMCA0cAMEQCIQDhgwCYmbb8c+ZPJ9hKe3c4mAyiDEG5IhCKlRa\
        q10TIIgIfezSa1qMuOBPLLzXVKZP3pPuHqGehHnrzxR7DEzfC2Q==
        """
    )
    /// A server's certificate by ``middle``, for `good.example`, `*.wild.example`, 192.0.2.7 and 2001:db8::7.
    static let server = der(
        """
        MIICZjCCAg2gAwIBAgIUTkqF6HrGOamN0jiK+SApI3+6CRcwCgYIKoZIzj0EAwIwMjEPMA0GA1UEAwwGTWlkZGxlMRIwEAYDVQQKDAlNaWRkbGU\
        gw7wxCzAJBgNVBAYTAkRFMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAXMRUwEwYDVQQDDAxnb29kLmV4YW1wbGUwWTATBgcqhk\
        jOPQIBBggqhkjOPQMBBwNCAASN84Mj/M3nrEU/9zFZS8VMqsAMduVIjv6TuX1Jl/7Qg7Z/OTSpv9VVyayP4DMFeEl/P1/JQiZsuO8SI7zoQZPAo\
        4IBGDCCARQwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEwXwYDVR0RBFgwVoIMZ29vZC5leGFtcGxl\
        gg4qLndpbGQuZXhhbXBsZYcEwAACB4cQIAENuAAAAAAAAAAAAAAAB4ELYUBiLmV4YW1wbGWGEWh0dHA6Ly91LmV4YW1wbGUvMBAGA1UdIAQJMAc\
        wBQYDKgMEMCwGCCsGAQUFBwEBBCAwHjAcBggrBgEFBQcwAYYQaHR0cDovL28uZXhhbXBsZTAdBgNVHQ4EFgQUt9CJgGBws/8ReD+lRapZ9lkkvs\
        EwHwYDVR0jBBgwFoAUceh8RDrm2w2iU2e/DY4sv54LGM4wCgYIKoZIzj0EAwIDRwAwRAIgOqzt4YW7nnkmF1ED9TDWhWQaiXi8NTTJE03IwQk69\
        FcCIEMuHlioi52rJlJuMR8RwgDeq7tsz71/IkJ9dgCa0d+w
        """
    )
    /// The same server's certificate, by ``root``.
    static let direct = der(
        """
        MIICQzCCAeqgAwIBAgIUHW4HOKCZiWZQpH1aPOQ8/pDNxrEwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEUm9vdDAgFw0yMDAxMDEwMDAwMDBaGA8\
        yMTIwMDEwMTAwMDAwMFowFzEVMBMGA1UEAwwMZ29vZC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjfODI/zN56xFP/cxWUvFTK\
        rADHblSI7+k7l9SZf+0IO2fzk0qb/VVcmsj+AzBXhJfz9fyUImbLjvEiO86EGTwKOCARgwggEUMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDA\
        geAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMF8GA1UdEQRYMFaCDGdvb2QuZXhhbXBsZYIOKi53aWxkLmV4YW1wbGWHBMAAAgeHECABDbgAAAAAAAAA\
        AAAAAAeBC2FAYi5leGFtcGxlhhFodHRwOi8vdS5leGFtcGxlLzAQBgNVHSAECTAHMAUGAyoDBDAsBggrBgEFBQcBAQQgMB4wHAYIKwYBBQUHMAG\
        GEGh0dHA6Ly9vLmV4YW1wbGUwHQYDVR0OBBYEFLfQiYBgcLP/EXg/pUWqWfZZJL7BMB8GA1UdIwQYMBaAFAJtbU/Ntcs4kHygkHKaeC38JGKVMA\
        oGCCqGSM49BAMCA0cAMEQCIHALCv2LL8wufiWhWHqqhhX/Cx/VHO7giSRdCO1OBDb/AiBujGdn91qDp6yc3cqcAMRtvvo74J9oAvTNVPivhLp+o\
        w==
        """
    )
    /// A self-signed certificate with an RSA key, without alternative names.
    static let selfSigned = der(
        """
        MIIB/TCCAWagAwIBAgIUPVpxEuvy12rg2QT4JieoW8vEgQgwDQYJKoZIhvcNAQELBQAwIzEVMBMGA1UEAwwMc2VsZi5leGFtcGxlMQowCAYDVQQ\
        KDAF4MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAjMRUwEwYDVQQDDAxzZWxmLmV4YW1wbGUxCjAIBgNVBAoMAXgwgZ8wDQYJKo\
        ZIhvcNAQEBBQADgY0AMIGJAoGBANiU6qELcW3jZgEEoD1d38tGhA+yRdEhjO2aLGYUJ8C46I1VkZso9CQxoFpwZ6na0l1kzHvuS8rOOBrGt3KzI\
        2Op/Jrr8mAFahhMhXdVd+RgrZTRJX8Jt5tTJBBBLAF1qVk98ll/sPlPQmoolisUU2pWXiRGmBNmaI5g0r3q/QGnAgMBAAGjLDAqMAkGA1UdEwQC\
        MAAwHQYDVR0OBBYEFMUrf+CF4HFkfNedfsS5W6R+/vCvMA0GCSqGSIb3DQEBCwUAA4GBAGHkyXUG4vi2bcK+1M7PR+BQ8jaspB73HJpG1Ia7aYv\
        LU48w7fkRwsDFgwnLNtYF8SM/jPn5UAWQb4qDJK5+RFzTXTQ3epCzT4hRxC/9Wh/YeBP8zHzDy37IiWkT2uR5KfS5XBymUS1SkmdC8tLvJYW/0K\
        DyzZr3pA+6tKq9iSwR
        """
    )

    /// The key of ``server`` and ``direct``, in PKCS #8.
    static let serverKey = der(
        """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgphEXevlhBCs6Nr+7m3tnHduOn0xcaFdw4o/EF7C6KtahRANCAASN84Mj/M3nrEU\
        /9zFZS8VMqsAMduVIjv6TuX1Jl/7Qg7Z/OTSpv9VVyayP4DMFeEl/P1/JQiZsuO8SI7zoQZPA
        """
    )
    /// The key of ``selfSigned``, in PKCS #8.
    static let selfSignedKey = der(
        """
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBANiU6qELcW3jZgEEoD1d38tGhA+yRdEhjO2aLGYUJ8C46I1VkZso9CQxoFpwZ6n\
        a0l1kzHvuS8rOOBrGt3KzI2Op/Jrr8mAFahhMhXdVd+RgrZTRJX8Jt5tTJBBBLAF1qVk98ll/sPlPQmoolisUU2pWXiRGmBNmaI5g0r3q/QGnAg\
        MBAAECgYEA1axtov7YJJLxotV+haykyzbBuX6nNMFF+XBel0MRSSjkffPK2GpaG48+ZZt6GnCBlJSKzUX3TpmPbpNYj3e+05cTTw9Zrnzo1hfnf\
        nhlaeIWzVVG5szfeKtmolIqtBwTn33CdRkxBtCt+efyuOY2T1aulmK6XbPweG/0Nvvu6nECQQDzfKMji0EejFPaaYNfc+Ahb04/efwh/YnvKWgq\
        fmnQ2klsVX3drjaJVN2L/sl3f9MIYgqPqWP6w+BqW6BHFr8vAkEA47ZPPARZ7fPGALcEAjoPiH4ZSh6aAEEDMVuKBaQRqwKfSdi+ZfuF6kKBvFK\
        09xdQSSSMh9lEcwrpnNrG5eoHCQJBAN1wxiHmXOP+daiW+27NQNLHmt9p/p+fKVpES0MSUwQp8kq/ecgpz9mYQCE5KFsw+mmOWNKNGKuQh0HTcP\
        IWQusCQGnCNI6lXrcbbyzJ03zNRoWYO1qnV9MiXr8/ypzQFLyeHSkJF3T6GrowZVz39MCF/W3bIcG+cQIVYWbOXW5PATECQCF9Klyej/ncXZNrm\
        O1c6msYW2GAAceMGfJa1tdpXpzmXEBA2TWhndqXIt8wGdJf2GZbRTJk68zF55di4X6utVQ=
        """
    )

    private static func der(_ text: String) -> [UInt8] {
        Data(base64Encoded: text).map { Array($0) } ?? []
    }
}

/// A verification of a server by handshakes in memory, like that of ``Connection`` over sockets.
struct MemoryHandshake {
    private let server: NIOSSLContext
    private let contexts = TLSContexts(gate: LoopGate(EmbeddedEventLoop()), wallTime: { 0 })

    /// Creates a server; nil if the certificate is malformed or does not match the key.
    init?(chain: [[UInt8]], key: [UInt8]) {
        guard let key = try? NIOSSLPrivateKey(bytes: key, format: .der),
            let chain = try? chain.map({ try NIOSSLCertificate(bytes: $0, format: .der) }),
            let server = try? NIOSSLContext(
                configuration: TLSConfiguration.makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) },
                    privateKey: .privateKey(key)
                )
            )
        else { return nil }
        self.server = server
    }

    /// Returns the decision in a handshake.
    func decision(
        for identity: PeerIdentity,
        by anchors: TrustAnchors,
        at now: Int64
    ) throws -> PeerDecision {
        let verification = PeerVerification(identity: identity, trust: .anchors(anchors))
        var decision: PeerDecision?
        let handler = try contexts.makeHandler(for: verification, presenting: nil) { chain in
            let last = verification.decision(on: chain, at: now)
            decision = last
            return if case .accept = last { true } else { false }
        }
        let error = try handshake(handler)
        if let decision { return decision }
        return .reject(
            error.map { Outcome(tls: $0, to: IPAddress(ipv4: 0x7F00_0001)) } ?? .failure(.malformedCertificate)
        )
    }

    /// Makes a handshake. Returns its error; nil if it succeeded.
    private func handshake(_ handler: NIOSSLClientHandler) throws -> (any Error)? {
        let end = HandshakeEnd()
        let client = EmbeddedChannel(handlers: [handler, end])
        let peer = EmbeddedChannel(handler: NIOSSLServerHandler(context: server))
        defer {
            // Each channel would wait for the other's closure alert.
            for channel in [client, peer] {
                channel.close(promise: nil)
                channel.embeddedEventLoop.advanceTime(by: .minutes(1))
            }
        }
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        peer.connect(to: address, promise: nil)
        client.connect(to: address, promise: nil)
        for _ in 0..<20 where end.result == nil {
            while let bytes = try client.readOutbound(as: ByteBuffer.self) { _ = try? peer.writeInbound(bytes) }
            while let bytes = try peer.readOutbound(as: ByteBuffer.self) { _ = try? client.writeInbound(bytes) }
            client.embeddedEventLoop.run()
        }
        guard let result = end.result else { throw FuzzFailure(description: "the handshake does not end") }
        if case .failure(let error) = result { return error }
        return nil
    }
}

/// A handler that stores the result of a handshake.
private final class HandshakeEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var result: Result<Void, any Error>?

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { result = result ?? .success(()) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        result = result ?? .failure(error)
    }
}
