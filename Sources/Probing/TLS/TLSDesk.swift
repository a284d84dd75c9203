import LibC
import Monitoring
import NIOCore
import NIOSSL

/// Holds what TLS needs and every probe shares, and judges certificates off the event loop. Confined to it.
///
/// Handshakes are completed whatever the certificate, and it is judged before anything is said: SwiftNIO SSL has one
/// error for everything that can be wrong with it.
final class TLSDesk {
    private let gate: LoopGate
    private let wallTime: @Sendable () -> Int64
    private var contexts: [Bool: NIOSSLContext] = [:]
    /// The authorities of each file, as they were looked for last.
    private var anchors: [String?: Task<TrustAnchorFile, Never>] = [:]

    /// - Parameter wallTime: the seconds since 1970, by which certificates expire.
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

    /// Makes the handler that speaks TLS on one connection.
    ///
    /// - Parameter heard: takes the certificates that the peer sends, its own first, before the handshake ends.
    func makeHandler(
        for identity: PeerIdentity,
        verifies: Bool,
        heard: @escaping ([NIOSSLCertificate]) -> Void
    ) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(
            context: try context(verifies: verifies),
            serverHostname: identity.requestedName,
            customVerificationCallback: { chain, promise in
                heard(chain)
                promise.succeed(.certificateVerified)
            }
        )
    }

    /// Judges a peer's certificates.
    func judge(
        _ chain: [NIOSSLCertificate],
        of identity: PeerIdentity,
        by options: TLSOptions,
        then: @escaping (CertificateVerdict) -> Void
    ) {
        let anchors = options.verifies ? anchors(in: options.ca) : nil
        let (gate, now) = (gate, wallTime())
        let bound = NIOLoopBound(then, eventLoop: gate.loop)
        Task.detached {
            let verdict = await PeerCertificate.verdict(on: chain, of: identity, by: anchors, at: now)
            gate.enter { bound.value(verdict) }
        }
    }

    /// Reads every file of authorities again when it is needed next, even where it seems to be the same.
    func rereadFiles() {
        anchors = [:]
    }

    /// Lets go of the authorities that no question needs.
    func keep(for questions: [Question]) {
        let files = questions.compactMap(\.tlsOptions).map(\.ca)
        anchors = anchors.filter { files.contains($0.key) }
    }

    private func context(verifies: Bool) throws -> NIOSSLContext {
        if let context = contexts[verifies] { return context }
        var configuration = TLSConfiguration.makeClientConfiguration()
        // Versions before 1.2 are deprecated (RFC 8996), but all that some old device speaks that nobody verifies.
        configuration.minimumTLSVersion = verifies ? .tlsv12 : .tlsv1
        configuration.certificateVerification = .noHostnameVerification
        // Reading the system's authorities takes long, and ours are the ones that judge.
        configuration.trustRoots = .certificates([])
        configuration.shutdownTimeout = .seconds(1)
        let context = try NIOSSLContext(configuration: configuration)
        contexts[verifies] = context
        return context
    }

    /// The authorities of a file, read again if it has changed: systems update theirs, and users replace theirs. One look
    /// follows the other, so that what many need at once is read once.
    func anchors(in file: String?) -> Task<TrustAnchorFile, Never> {
        let last = anchors[file]
        let task = Task.detached { await last?.value.refreshed() ?? TrustAnchorFile(file) }
        anchors[file] = task
        return task
    }
}

extension Question {
    fileprivate var tlsOptions: TLSOptions? {
        switch self {
        case .tls(_, _, let options): options
        case .http(let question): question.isSecure ? question.tls : nil
        default: nil
        }
    }
}
