#if Fetch && os(Linux)
import ReachMonitoring
import NIOCore

/// The connections of one event loop on which modules send nothing. Confined to it.
///
/// They use plain sockets, as those of targets do. With SwiftNIO channels, a request takes a quarter more processor time.
final class BlackboxHandshakes {
    private let environment: ProberEnvironment
    private let prober: HandshakeProber
    /// The connections that are being opened, by the sequence of their probe: their number in the prober, and what is called
    /// with the outcome.
    private(set) var openings: [Int: (number: Int, completion: (Outcome) -> Void)] = [:]
    private var lastSequence = 0

    /// - Parameter environment: reports to ``receive(_:)``.
    init(in environment: ProberEnvironment) {
        self.environment = environment
        prober = HandshakeProber(environment)
    }

    /// Opens a connection, and closes it at once.
    ///
    /// - Parameter completion: called with the outcome, later and at most once; not after ``cancel(_:)``.
    /// - Returns: the number by which ``cancel(_:)`` ends it.
    func open(
        to address: IPAddress,
        port: UInt16,
        leaving origin: Origin?,
        timeout: Duration,
        completion: @escaping (Outcome) -> Void
    ) throws -> Int {
        lastSequence += 1
        let probe = Probe(
            target: Target.ID(0),
            watch: 0,
            sequence: lastSequence,
            question: .tcp(host: "", port: port),
            timeout: timeout,
            made: environment.time(),
            address: address
        )
        let number = try prober.begin(probe, on: address, port: port, leaving: origin)
        openings[lastSequence] = (number, completion)
        return lastSequence
    }

    /// Ends an attempt without an outcome. Does nothing if it has ended.
    func cancel(_ sequence: Int) {
        if let opening = openings.removeValue(forKey: sequence) { prober.cancel(opening.number) }
    }

    func receive(_ event: ProberEvent) {
        guard case .ended(let probe, let outcome) = event else { return }
        openings.removeValue(forKey: probe.sequence)?.completion(outcome)
    }
}
#endif
