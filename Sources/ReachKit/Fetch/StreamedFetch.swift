import Fetching
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One fetch whose body is taken piece by piece. It begins with the first piece that is wanted, and ends with the last
/// reference: whoever takes no more has its connection closed.
final class StreamedFetch: Sendable {
    private let begin: @Sendable (Handover) -> Task<Void, Never>
    private let handover = Handover()
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter fetch: fetches into a sink.
    init(_ fetch: @escaping @Sendable (any BodySink) async throws(FetchError) -> Void) {
        begin = { handover in
            Task {
                do throws(FetchError) {
                    try await fetch(Sink(handover: handover))
                    handover.end(nil)
                } catch {
                    handover.end(error)
                }
            }
        }
    }

    deinit {
        handover.end(nil)
        task.withLock { $0 }?.cancel()
    }

    /// The next piece; nil after the last one.
    func next() async throws(FetchError) -> Data? {
        task.withLock { if $0 == nil { $0 = begin(handover) } }
        switch await handover.take() {
        case .piece(let piece):
            return Data(piece)
        case .end(let error):
            task.withLock { $0 }?.cancel()
            if let error { throw error }
            return nil
        }
    }

    private struct Sink: BodySink {
        let handover: Handover

        /// Nobody has seen any of it.
        var canBeginAnew: Bool { !handover.isTouched }

        func begin(length: Int64?) async {}
        func take(_ piece: [UInt8]) async { await handover.give(piece) }
        func end() async {}
    }
}
