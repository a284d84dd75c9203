import Fetching
import Synchronization

/// A sink that tells how much has come, and remembers why it could not take more.
final class NotedSink: BodySink {
    private let sink: any BodySink
    private let onEvent: @Sendable (Fetch.Event) -> Void
    private let noted = Mutex<FileProblem?>(nil)

    init(sink: any BodySink, onEvent: @escaping @Sendable (Fetch.Event) -> Void) {
        self.sink = sink
        self.onEvent = onEvent
    }

    /// Why the body could not be taken, if that is so.
    var problem: FileProblem? { noted.withLock { $0 } }

    var canBeginAnew: Bool { sink.canBeginAnew }

    func begin(length: Int64?) async throws(FileProblem) {
        noted.withLock { $0 = nil }
        onEvent(.receiving(length: length))
        try await noting { () async throws(FileProblem) in try await sink.begin(length: length) }
    }

    func take(_ piece: [UInt8]) async throws(FileProblem) {
        try await noting { () async throws(FileProblem) in try await sink.take(piece) }
        onEvent(.received(piece.count))
    }

    func end() async throws(FileProblem) {
        try await noting { () async throws(FileProblem) in try await sink.end() }
    }

    private func noting(_ body: () async throws(FileProblem) -> Void) async throws(FileProblem) {
        do throws(FileProblem) {
            try await body()
        } catch {
            noted.withLock { $0 = error }
            throw error
        }
    }
}
