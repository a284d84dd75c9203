import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One fetch whose body is received piece by piece. It begins with the first call of ``next()``, and its connection is
/// closed with the last reference.
final class StreamedFetch: Sendable {
    private let begin: @Sendable (RendezvousChannel) -> Task<Void, Never>
    private let channel = RendezvousChannel()
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter fetch: fetches into a sink.
    init(_ fetch: @escaping @Sendable (any BodySink) async throws(Fetch.Error) -> Void) {
        begin = { channel in
            Task {
                do throws(Fetch.Error) {
                    try await fetch(Sink(channel: channel))
                    channel.finish(nil)
                } catch {
                    channel.finish(error)
                }
            }
        }
    }

    deinit {
        channel.finish(nil)
        task.withLock { $0 }?.cancel()
    }

    /// The next piece; nil after the last one.
    func next() async throws(Fetch.Error) -> Data? {
        task.withLock { if $0 == nil { $0 = begin(channel) } }
        switch await channel.receive() {
        case .piece(let piece):
            return Data(piece)
        case .end(let error):
            task.withLock { $0 }?.cancel()
            if let error { throw error }
            return nil
        }
    }

    private struct Sink: BodySink {
        let channel: RendezvousChannel

        var committedBytes: Int64 { channel.offeredBytes }

        func begin(length: Int64?) async {}
        func write(_ piece: [UInt8]) async { await channel.send(piece) }
        func finish() async {}
        func discard() {}
    }
}
