#if Fetch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One fetch whose response is received piece by piece: first its head, then its body. Its connection is closed with
/// the last reference.
final class StreamedFetch: Sendable {
    private let channel = RendezvousChannel()
    private let task: Task<Void, Never>

    /// Begins a fetch.
    ///
    /// - Parameter fetch: fetches into a sink.
    init(_ fetch: @escaping @Sendable (any BodySink) async throws(Fetch.Error) -> Void) {
        task = Task { [channel] in
            do throws(Fetch.Error) {
                try await fetch(Sink(channel: channel))
                channel.finish(nil)
            } catch {
                channel.finish(error)
            }
        }
    }

    deinit {
        channel.finish(nil)
        task.cancel()
    }

    /// Waits for the head of the response.
    func response() async throws(Fetch.Error) -> Fetch.Response {
        switch await channel.receive() {
        case .head(let response):
            return response
        case .end(let error):
            throw error ?? .cancelled
        case .piece, .occupied:
            preconditionFailure("a body has begun before its head")
        }
    }

    /// The next piece of the body; nil after the last one.
    func next() async throws(Fetch.Error) -> Data? {
        switch await channel.receive() {
        case .piece(let piece):
            return Data(piece)
        case .end(let error):
            task.cancel()
            if let error { throw error }
            return nil
        case .occupied:
            throw .invalid("another task reads the stream – read it in one task")
        case .head:
            preconditionFailure("a response has begun twice")
        }
    }

    private struct Sink: BodySink {
        let channel: RendezvousChannel

        var committedBytes: Int64 { channel.offeredBytes }
        /// A response whose head was passed on is not replaced by another one.
        var canRestart: Bool { !channel.hasBegun }

        func begin(with head: Fetch.Response?) async {
            if let head { await channel.send(head) }
        }
        func write(_ piece: [UInt8]) async { await channel.send(piece) }
        func finish() async {}
        func discard() {}
    }
}
#endif
