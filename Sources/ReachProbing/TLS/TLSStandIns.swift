#if !TLS
import NIOCore
import ReachMonitoring

// The interface of TLS in a build without it. A connection that needs TLS ends with a fault before anything is sent.

/// The stand-in for the TLS contexts of an event loop.
final class TLSContexts {
    private let wallTime: @Sendable () -> Int64

    init(gate: LoopGate, wallTime: @escaping @Sendable () -> Int64) {
        self.wallTime = wallTime
    }

    /// The seconds since 1970.
    var now: Int64 { wallTime() }

    /// Calls `then` with the fault.
    func makeClient(
        for identity: PeerIdentity,
        _ options: TLSOptions,
        offering protocols: [String],
        then: (Result<TLSClient, Fault>) -> Void
    ) {
        then(.failure(.noTLS))
    }

    /// Does nothing: there are no files.
    func rereadFiles() {}
}

/// The stand-in for the TLS client of a connection. It has no instances.
enum TLSClient {
    func addHandler(
        to pipeline: ChannelPipeline.SynchronousOperations,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws {
        switch self {}
    }

    var decisionOnCompletion: PeerDecision {
        switch self {}
    }

    var rejection: Outcome? {
        switch self {}
    }

    /// Returns false: only TLS has a closure alert.
    static func isUncleanClosure(_ error: any Error) -> Bool { false }

    /// Closes a channel at once.
    static func drop(_ channel: any Channel) {
        channel.close(promise: nil)
    }
}

extension Outcome {
    /// Creates the outcome of an error on a connection.
    init(tls error: any Error, to address: IPAddress) {
        self.init(error, to: address)
    }
}
#endif
