import LibC
import Monitoring
import NIOCore
import NIOSSL
import Synchronization

/// The TLS contexts of an event loop, and the trusted authorities, which are read off the loop. Confined to its event loop.
final class TLSContexts {
    private let gate: LoopGate
    private let wallTime: @Sendable () -> Int64
    /// The contexts without verification, by the oldest version of TLS.
    private var contexts: [TLSVersion: NIOSSLContext] = [:]
    /// The authorities of each file, as it was read last. All event loops of the process share them, since reading the
    /// system's takes tens of milliseconds; they are kept until files are read again.
    private static let anchors = Mutex<[String?: Task<TrustAnchorFile, Never>]>([:])

    /// - Parameter wallTime: the seconds since 1970. Certificates expire by it, but BoringSSL has the system's clock.
    init(gate: LoopGate, wallTime: @escaping @Sendable () -> Int64) {
        self.gate = gate
        self.wallTime = wallTime
    }

    /// The seconds since 1970, by the system's clock.
    static let systemTime: @Sendable () -> Int64 = {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec)
    }

    /// The seconds since 1970.
    var now: Int64 { wallTime() }

    /// Calls `then` on the loop with what certificates are verified against, when that is read.
    func loadTrust(for options: TLSOptions, then: @escaping (PeerVerification.Trust) -> Void) {
        guard options.verifies else { return then(.anything) }
        let (anchors, gate) = (anchors(in: options.ca), gate)
        let bound = NIOLoopBound(then, eventLoop: gate.loop)
        Task.detached {
            let trust: PeerVerification.Trust =
                switch await anchors.value.result {
                case .success(let anchors): .anchors(anchors)
                case .failure(let fault): .unavailable(fault)
                }
            gate.enter { bound.value(trust) }
        }
    }

    /// Makes the handler that speaks TLS on one connection.
    ///
    /// - Parameter receive: called with the peer's certificates, its own first, before the end of a handshake that does
    ///   not verify them.
    func makeHandler(
        for verification: PeerVerification,
        receive: @escaping ([NIOSSLCertificate]) -> Void
    ) throws -> NIOSSLClientHandler {
        let name = verification.identity.requestedName
        if let context = verification.context {
            return try NIOSSLClientHandler(context: context, serverHostname: name)
        }
        return try NIOSSLClientHandler(
            context: try unverifiedContext(acceptsAnything: verification.acceptsAnything),
            serverHostname: name,
            customVerificationCallback: { chain, promise in
                receive(chain)
                promise.succeed(.certificateVerified)
            }
        )
    }

    /// Reads every file of authorities again when it is needed next, even if it seems to be the same.
    func rereadFiles() {
        Self.anchors.withLock { $0 = [:] }
    }

    private func unverifiedContext(acceptsAnything: Bool) throws -> NIOSSLContext {
        // Versions before 1.2 are deprecated (RFC 8996). They are accepted from old devices whose certificate is not verified.
        let oldest = acceptsAnything ? TLSVersion.tlsv1 : .tlsv12
        if let context = contexts[oldest] { return context }
        let context = try Self.makeContext(oldest: oldest)
        contexts[oldest] = context
        return context
    }

    /// Makes a context that verifies chains, but not the names of peers.
    static func makeContext(
        trusting authorities: [NIOSSLCertificate] = [],
        oldest: TLSVersion = .tlsv12
    ) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = oldest
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates(authorities)
        configuration.shutdownTimeout = .seconds(1)
        return try NIOSSLContext(configuration: configuration)
    }

    /// The authorities of a file, read again if it has changed: systems update theirs, and users replace theirs. Reads
    /// follow one another, so that what many need at once is read once.
    func anchors(in file: String?) -> Task<TrustAnchorFile, Never> {
        Self.anchors.withLock { anchors in
            let last = anchors[file]
            let task = Task.detached { await last?.value.refreshed() ?? TrustAnchorFile(file) }
            anchors[file] = task
            return task
        }
    }
}
