import Fleet
import ReachKit
import Synchronization

/// Passes the body of an answer to the reader, piece by piece, so that it is never in memory as a whole.
final class QuerySink: BodySink {
    private let limits: QueryResultReader.Limits
    private let reader: Mutex<QueryResultReader>

    init(_ limits: QueryResultReader.Limits) {
        self.limits = limits
        reader = Mutex(QueryResultReader(limits))
    }

    let committedBytes: Int64 = 0

    func begin(with head: Fetch.Response?) async throws(Fetch.Error) {
        discard()
    }

    func write(_ piece: [UInt8]) async throws(Fetch.Error) {
        let isTooLong = reader.withLock { reader in
            reader.append(piece[...])
            return reader.isTooLong
        }
        // Ends the connection: the rest, which may have no end, is not read.
        if isTooLong { throw .tooLong(limit: limits.bytes) }
    }

    func finish() async throws(Fetch.Error) {}

    func discard() {
        reader.withLock { $0 = QueryResultReader(limits) }
    }

    /// Returns the result. The body of a response with another status than 200 to 299 did not come through here.
    func finish(_ response: Fetch.Response) throws(QueryFailure) -> QueryResult {
        var reader = reader.withLock { $0 }
        if !(200...299).contains(response.status) { reader.append([UInt8](response.body)[...]) }
        return try reader.finish(httpStatus: response.status, isWhole: response.ending == .whole)
    }
}
