import Fetching
import Synchronization

/// A sink that tells how much has come, and remembers why it could not take more.
struct MeteredSink: BodySink {
    let sink: any BodySink
    let teller: FetchTeller

    var canBeginAnew: Bool { sink.canBeginAnew }

    func begin(length: Int64?) async throws(FileProblem) {
        teller.beginBody(of: length)
        try await noting { () async throws(FileProblem) in try await sink.begin(length: length) }
    }

    func take(_ piece: [UInt8]) async throws(FileProblem) {
        try await noting { () async throws(FileProblem) in try await sink.take(piece) }
        teller.count(piece.count)
    }

    func end() async throws(FileProblem) {
        try await noting { () async throws(FileProblem) in try await sink.end() }
    }

    private func noting(_ body: () async throws(FileProblem) -> Void) async throws(FileProblem) {
        do throws(FileProblem) {
            try await body()
        } catch {
            teller.note(error)
            throw error
        }
    }
}
