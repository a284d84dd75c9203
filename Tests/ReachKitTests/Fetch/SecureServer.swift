import NIOCore
import NIOPosix
import NIOSSL

/// A web server on loopback with TLS, which answers every request with `fine`.
struct SecureServer {
    private let channel: any Channel

    /// - Parameters:
    ///   - requiresCertificate: whether clients need a certificate of the test authority.
    ///   - isExpired: whether its certificate has expired.
    ///   - accepted: called for each connection, before its handshake.
    ///   - gate: the handshakes wait for it.
    ///   - closed: called when a connection has ended.
    init(
        requiresCertificate: Bool = false,
        isExpired: Bool = false,
        accepted: @escaping @Sendable () -> Void = {},
        gate: EventLoopFuture<Void>? = nil,
        closed: @escaping @Sendable () -> Void = {}
    ) async throws {
        let chain = isExpired ? TestCertificates.expiredChain : TestCertificates.serverChain
        let key = isExpired ? TestCertificates.expiredKey : TestCertificates.serverKey
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(chain.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        if requiresCertificate {
            let authority = try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.authority.utf8))
            configuration.trustRoots = .certificates(authority)
            configuration.certificateVerification = .noHostnameVerification
        }
        let context = try NIOSSLContext(configuration: configuration)
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                accepted()
                channel.closeFuture.whenComplete { _ in closed() }
                let opened = gate?.hop(to: channel.eventLoop) ?? channel.eventLoop.makeSucceededVoidFuture()
                return opened.flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandlers(NIOSSLServerHandler(context: context), Responder())
                }
            }
            .bind(host: "0.0.0.0", port: 0)
            .get()
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    var url: String { "https://127.0.0.1:\(port)/" }

    func stop() async throws {
        try await channel.close()
    }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let response = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

/// Certificates of a test authority in PEM format, from 2020 to 2120, and their keys.
enum TestCertificates {
    /// The self-signed certificate of the authority.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBVjCB/aADAgECAgEBMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMMB1Rlc3QgQ0Ew
        IBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBIxEDAOBgNVBAMMB1Rl
        c3QgQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARzRJRn2fv2BORMli4aC5mA
        YaGOSM8jQAgSpUSudwn8RIO+JBVREEgNDFhljw64nFMh7ThTd9nxmQfxOyO8nj53
        o0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICBDAdBgNVHQ4EFgQU
        3h2KtkY3QXwAmWGpOGxmFPKpgRcwCgYIKoZIzj0EAwIDSAAwRQIhAKEmCiQtY6gI
        qO2K0LxKl7mDDItZwn6nlZ4mFdWveR8lAiA/ELfr/SPCKRbM8EZuTcpqNqOZZ0KA
        hBQbaQVulv9wyA==
        -----END CERTIFICATE-----
        """

    /// The certificate of a server at `localhost` and 127.0.0.1.
    static let serverChain = """
        -----BEGIN CERTIFICATE-----
        MIIBhzCCAS2gAwIBAgIBAjAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdUZXN0IENB
        MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjARMQ8wDQYDVQQDDAZz
        ZXJ2ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAThNzZpLJ6on/VTZE9+9+2n
        WoocSqeyy1/ss41xei93JapQrTsSw54NQWDjL4gY8/CGGb3liHj+/GLptQN2rkb0
        o3MwcTAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwEwYDVR0lBAwwCgYIKwYB
        BQUHAwEwHQYDVR0OBBYEFG1jnygQC37/bM4iFf1TC5yQD0cTMB8GA1UdIwQYMBaA
        FN4dirZGN0F8AJlhqThsZhTyqYEXMAoGCCqGSM49BAMCA0gAMEUCIQD2xqW3mxsO
        J3HNbx23raxxvosOCRI1g45finXG19yvygIgPpuXsd9quo2UufbyuAoH8UzQM13H
        YFeyhyoWVBZ09YE=
        -----END CERTIFICATE-----
        """

    /// The key of the server.
    static let serverKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgly5ijzSBz0dE0svB
        vWB2KYOcDOCDLDNMMR9UFxKD3nKhRANCAAThNzZpLJ6on/VTZE9+9+2nWoocSqey
        y1/ss41xei93JapQrTsSw54NQWDjL4gY8/CGGb3liHj+/GLptQN2rkb0
        -----END PRIVATE KEY-----
        """

    /// The certificate of a client.
    static let clientChain = """
        -----BEGIN CERTIFICATE-----
        MIIBazCCARGgAwIBAgIBAzAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdUZXN0IENB
        MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjARMQ8wDQYDVQQDDAZj
        bGllbnQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARd6WH84i3SvSeXgWZRY4R+
        Bp5LIhrHiawhDyj/DFCY9qoTrwyaLwPoVw755vjTqx3xTCMRruHb+rseOy+0Ab6N
        o1cwVTATBgNVHSUEDDAKBggrBgEFBQcDAjAdBgNVHQ4EFgQUHCWXoFkmRx6XfTm+
        dFh+QIjf+LcwHwYDVR0jBBgwFoAU3h2KtkY3QXwAmWGpOGxmFPKpgRcwCgYIKoZI
        zj0EAwIDSAAwRQIhAMkkhLaxryX9OY2eq7Iwhv1a5YXZOSQ18KXeCOHRgTH8AiBb
        arVIwzP5+07NdsppfXizYL4e4lUHE54CH5RXhMHwyA==
        -----END CERTIFICATE-----
        """

    /// The key of the client.
    static let clientKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgT2zX/mOLAEXhu7uH
        JV1jS8ERwLcrvqBX629SGvh/vOuhRANCAARd6WH84i3SvSeXgWZRY4R+Bp5LIhrH
        iawhDyj/DFCY9qoTrwyaLwPoVw755vjTqx3xTCMRruHb+rseOy+0Ab6N
        -----END PRIVATE KEY-----
        """

    /// The self-signed certificate of an authority whose server's certificate has expired.
    static let expiredAuthority = """
        -----BEGIN CERTIFICATE-----
        MIIBVDCB+6ADAgECAgEBMAoGCCqGSM49BAMCMBExDzANBgNVBAMMBk9sZCBDQTAg
        Fw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowETEPMA0GA1UEAwwGT2xk
        IENBMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEo6ZFZKZ1Ftwgb/bXMXdwbOQb
        ZRt5dCmHqVk+V7CKd2/vgfei9DjxOc3rBZUAUOWlM4R+L1A2aSUtP5cnlVW+LqNC
        MEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYEFPl/
        cXDpaU7/MZRjGk8gIeMZvTo2MAoGCCqGSM49BAMCA0gAMEUCIQD3ZXDZ0TaLtslN
        83hwpL3+/9vKymZa5pAzDlGLmvN6XQIgAvuOMsUmes9vKhtDd/nltlpuVY1+6ppA
        xx9RyPtfr38=
        -----END CERTIFICATE-----
        """

    /// The certificate of a server at `localhost` and 127.0.0.1, from 2020 to 2021.
    static let expiredChain = """
        -----BEGIN CERTIFICATE-----
        MIIBiDCCAS6gAwIBAgIBAjAKBggqhkjOPQQDAjARMQ8wDQYDVQQDDAZPbGQgQ0Ew
        HhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAVMRMwEQYDVQQDDApvbGQg
        c2VydmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEwc44I9lUqLp9ZvLxGoj0
        Tl4uwKRA7+oV70U/HkSS8Ls8BeAg25vJZFrCXuQuhCiMvuSvlf+OPLN424Aef6RM
        DaNzMHEwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMBMGA1UdJQQMMAoGCCsG
        AQUFBwMBMB0GA1UdDgQWBBSduHpqY0LlcpSYKZNpV8xlNbdcojAfBgNVHSMEGDAW
        gBT5f3Fw6WlO/zGUYxpPICHjGb06NjAKBggqhkjOPQQDAgNIADBFAiAyS4yRj9gt
        ggmKNVGpLTK0B+WhgUveI5sw79a3LnCaSAIhAKIBk2anL+cXWA2Gesz+MprGHREH
        o8B9EdQH4PyHsq4e
        -----END CERTIFICATE-----
        """

    /// The key of that server.
    static let expiredKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9ACktlvjArGKRWWQ
        VRQHW5LaEQIiUDANC7PnN1EtTIOhRANCAATBzjgj2VSoun1m8vEaiPROXi7ApEDv
        6hXvRT8eRJLwuzwF4CDbm8lkWsJe5C6EKIy+5K+V/448s3jbgB5/pEwN
        -----END PRIVATE KEY-----
        """
}
