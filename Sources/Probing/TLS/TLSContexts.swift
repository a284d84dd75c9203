import LibC
import Monitoring
import NIOCore
import NIOSSL
import Synchronization

/// The TLS contexts of an event loop, and the trusted authorities of the process. Files are read off the loop. Confined
/// to its event loop.
final class TLSContexts {
    private let gate: LoopGate
    private let wallTime: @Sendable () -> Int64
    /// The contexts without verification, by minimum TLS version.
    private var contexts: [TLSVersion: NIOSSLContext] = [:]
    /// The cached authorities of each file. All event loops of the process share them, because reading the system's
    /// takes tens of milliseconds.
    private static let anchors = Mutex<[String?: Task<TrustAnchorFile, Never>]>([:])

    /// - Parameter wallTime: returns the seconds since 1970, for expiry. BoringSSL itself uses the system's clock.
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

    /// Loads the trust for these options off the loop, and calls `then` with it on the loop.
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

    /// Returns a new TLS handler for one connection.
    ///
    /// - Parameter receive: called with the peer's chain, the leaf first, before the end of a handshake without
    ///   verification.
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

    /// Clears the cache of authorities. The next use reads each file again, even if it seems unchanged.
    func rereadFiles() {
        Self.anchors.withLock { $0 = [:] }
    }

    private func unverifiedContext(acceptsAnything: Bool) throws -> NIOSSLContext {
        // Versions before 1.2 are deprecated (RFC 8996). They are accepted only without verification, for old devices.
        let oldest = acceptsAnything ? TLSVersion.tlsv1 : .tlsv12
        if let context = contexts[oldest] { return context }
        let context = try Self.makeContext(oldest: oldest)
        contexts[oldest] = context
        return context
    }

    /// Returns a new context that verifies chains, but not the names of peers.
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

    /// Returns the authorities of a file, which is read again if it has changed.
    ///
    /// Reads of one file are serialized, so that concurrent callers share one read.
    func anchors(in file: String?) -> Task<TrustAnchorFile, Never> {
        Self.anchors.withLock { anchors in
            let last = anchors[file]
            let task = Task.detached { await last?.value.refreshed() ?? TrustAnchorFile(file) }
            anchors[file] = task
            return task
        }
    }
}
