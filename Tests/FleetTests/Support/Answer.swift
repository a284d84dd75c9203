import Foundation

@testable import Fleet

/// Answers of a Prometheus as the tests write them.
enum Answer {
    /// Reads a text in one piece.
    static func read(
        _ text: String,
        status: Int = 200,
        isWhole: Bool = true,
        limits: QueryResultReader.Limits = QueryResultReader.Limits(samples: 1_000)
    ) throws(QueryFailure) -> QueryResult {
        var reader = QueryResultReader(limits)
        reader.append(Array(text.utf8)[...])
        return try reader.finish(httpStatus: status, isWhole: isWhole)
    }

    /// The failure of a text.
    static func failure(_ text: String, status: Int = 200, isWhole: Bool = true) -> QueryFailure? {
        do throws(QueryFailure) {
            _ = try read(text, status: status, isWhole: isWhole)
            return nil
        } catch {
            return error
        }
    }

    /// A vector as Prometheus 2.42 writes it.
    static func vector(_ series: String..., more: String = "") -> String {
        #"{"status":"success","data":{"resultType":"vector","result":["# + series.joined(separator: ",") + "]\(more)}}"
    }

    /// A series of an instant query.
    static func series(_ labels: [String: String], _ value: String, at time: Double = 1_000) -> String {
        let pairs = labels.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
        return #"{"metric":{"# + pairs + #"},"value":["# + "\(time),\"\(value)\"]}"
    }
}
