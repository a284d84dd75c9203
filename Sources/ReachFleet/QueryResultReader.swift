import ReachBasics
import ReachMonitoring

/// Reads the answer of Prometheus's HTTP API while it arrives
/// (https://prometheus.io/docs/prometheus/latest/querying/api/). Only the series up to the limit are kept.
package struct QueryResultReader {
    /// What is kept of an answer.
    package struct Limits: Sendable, Hashable {
        /// The maximum number of series, or of texts of a list.
        var series: Int
        /// The maximum number of values of a series: the limit of Prometheus for a range.
        var points = 11_000
        /// The maximum length of an answer, in bytes after decompression.
        package var bytes = 64 * 1_024 * 1_024
    }

    /// A place in an answer: the keys of the objects, and `[]` for each array.
    private var path: [String] = []
    /// The key of the value that follows.
    private var key: String?
    private let limits: Limits
    private var tokenizer = JSONTokenizer(maxDepth: Self.maxDepth, maxLength: Self.maxLength)
    private var result = QueryResult()
    private var mistake: JSONTokenizer.SyntaxError?

    private var status: String?
    private var errorType = ""
    private var error: String?
    /// The series that is being read.
    private var series = MetricSeries(labels: [:], points: [])
    /// The time of the value that is being read.
    private var time: Double?
    /// The first bytes, to recognize a page of a proxy.
    private var start: [UInt8] = []

    package init(_ limits: Limits) {
        self.limits = limits
    }

    /// Whether the answer is longer than its limit.
    package var isTooLong: Bool { result.length > limits.bytes }

    /// Reads a piece. After a mistake, further pieces are not parsed.
    package mutating func append(_ piece: ArraySlice<UInt8>) {
        if start.count < 512 { start += piece.prefix(512 - start.count) }
        result.length += piece.count
        guard mistake == nil, !isTooLong else { return }
        var tokens = tokenizer
        do throws(JSONTokenizer.SyntaxError) {
            try tokens.read(piece) { accept($0) }
        } catch {
            mistake = error
        }
        tokenizer = tokens
    }

    /// Ends the answer.
    ///
    /// - Parameters:
    ///   - httpStatus: the HTTP status.
    ///   - isWhole: whether the body is complete.
    package mutating func finish(httpStatus: Int, isWhole: Bool = true) throws(QueryFailure) -> QueryResult {
        if mistake == nil, !isTooLong {
            var tokens = tokenizer
            do throws(JSONTokenizer.SyntaxError) { try tokens.finish { accept($0) } } catch { mistake = error }
        }
        // The server's message is more specific than the status.
        if status == "error", let error, mistake == nil || mistake == .incomplete {
            throw [401, 403].contains(httpStatus)
                ? .unauthorized(status: httpStatus) : .rejected(type: errorType, error)
        }
        if [401, 403].contains(httpStatus) { throw .unauthorized(status: httpStatus) }
        guard (200...299).contains(httpStatus) else { throw .status(httpStatus) }
        if isTooLong { throw .tooLong }
        if !isWhole || mistake == .incomplete { throw .incomplete }
        if let mistake { throw .notJSON(describe(mistake)) }
        guard status == "success" else { throw .notJSON("JSON, but not of Prometheus – check the URL") }
        result.cutTexts = tokenizer.cutStrings
        return result
    }

    private func describe(_ error: JSONTokenizer.SyntaxError) -> String {
        if let page = QueryFailure.webPage(String(decoding: start, as: UTF8.self)) { return page.text }
        return switch error {
        case .unexpected(let offset): "not JSON: mistake at byte \(offset)"
        case .tooLong(let offset): "JSON with a too long number at byte \(offset)"
        case .tooDeep(let offset): "JSON with more than \(Self.maxDepth) levels at byte \(offset)"
        case .incomplete: "JSON that is cut off"
        }
    }

    // MARK: Tokens

    private mutating func accept(_ token: JSONTokenizer.Token) {
        switch token {
        case .key(let name):
            key = name
        case .beginObject, .beginArray:
            let isArray = token == .beginArray
            path.append(key ?? (isArray ? "[]" : "{}"))
            key = nil
            begin()
        case .endObject, .endArray:
            end()
            path.removeLast()
            key = nil
        case .string(let text):
            accept(text: text)
            key = nil
        case .number(let text):
            if let number = Double(text) { accept(number: number) }
            key = nil
        case .boolean, .null:
            key = nil
        }
    }

    /// Whether the path consists of these keys below the whole answer.
    private func isAt(_ keys: String...) -> Bool {
        path.count == keys.count + 1 && path.dropFirst().elementsEqual(keys)
    }

    private var isInResult: Bool { path.count >= 3 && path[1] == "data" && path[2] == "result" }

    private mutating func begin() {
        if isInResult, path.count == 4, path[3] == "{}" { series = MetricSeries(labels: [:], points: []) }
        if isInResult, path.last == "value" || path.last == "[]" { time = nil }
    }

    private mutating func end() {
        guard isInResult, path.count == 4, path[3] == "{}" else {
            // A scalar, or a text: `[time, value]`.
            if isAt("data", "result"), !series.points.isEmpty, result.series.isEmpty { keepSeries() }
            return
        }
        keepSeries()
    }

    private mutating func keepSeries() {
        if result.series.count < limits.series { result.series.append(series) }
        series = MetricSeries(labels: [:], points: [])
    }

    private mutating func accept(text: String) {
        switch key {
        case "status"? where path.count == 1: status = text
        case "error"? where path.count == 1: error = text
        case "errorType"? where path.count == 1: errorType = text
        case let name? where isInResult && path.count == 5 && path[4] == "metric":
            if series.labels.count < Self.maxLabels { series.labels[name] = text }
        case nil where isAt("data"):
            if result.texts.count < limits.series { result.texts.append(text) }
        case nil where isValue:
            guard let time, let value = Self.value(text), series.points.count < limits.points else { return }
            series.points.append(MetricSeries.Point(time: time, value: value))
            self.time = nil
        default: break
        }
    }

    private mutating func accept(number: Double) {
        if key == nil, isValue, time == nil {
            time = number
        } else if key == "execTotalTime", path.last == "timings", number.isFinite, (0...86_400).contains(number) {
            result.cost = .seconds(number)
        }
    }

    /// Whether the path is at a pair of a time and a value.
    private var isValue: Bool {
        guard isInResult else { return false }
        if path.count == 3 { return true }
        guard path.count >= 5, path[3] == "{}" else { return false }
        return path.count == 5 && path[4] == "value" || path.count == 6 && path[4] == "values" && path[5] == "[]"
    }

    /// The maximum depth of values. A result of a query has seven levels.
    private static let maxDepth = 32
    /// The maximum length of a text in bytes; longer ones are truncated. Prometheus has no limit for label values.
    private static let maxLength = 65_536
    private static let maxLabels = 128

    /// The value of a text as Prometheus writes it: `1.5`, `NaN`, `+Inf`, `-Inf`.
    private static func value(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "+Inf", "Inf": .infinity
        case "-Inf": -.infinity
        default: text.utf8.count <= 64 ? Double(text) : nil
        }
    }
}

/// The answer of a server to a query.
package struct QueryResult: Sendable, Hashable {
    /// The series, at most as many as the limit of the query.
    var series: [MetricSeries] = []
    /// The texts of an answer that is a list, such as the values of a label.
    var texts: [String] = []
    /// The number of texts that were longer than 64 KiB, of which only the beginning was kept.
    package internal(set) var cutTexts = 0
    /// The execution time of the server; nil if it does not report that.
    var cost: Duration?
    /// The number of bytes of the answer, after decompression.
    var length = 0

    /// The time of an instant query by the server's clock, in seconds since 1970; nil without a series.
    var time: Double? { series.first?.points.last?.time }
}

/// One series of a result: its labels and its values.
struct MetricSeries: Sendable, Hashable {
    /// A value at a time.
    struct Point: Sendable, Hashable {
        /// The time by the server's clock, in seconds since 1970.
        let time: Double
        /// The value; NaN and infinities are possible.
        let value: Double
    }

    /// The labels, with the name of the metric as `__name__`.
    var labels: [String: String]
    /// The values by time: one of an instant query, several of a range query.
    var points: [Point]

    /// The value of an instant query, or the newest one of a range query.
    var value: Double { points.last?.value ?? .nan }

    /// The value of a label; an empty label is the same as none (Prometheus, "Data model").
    func label(_ name: String) -> String? {
        labels[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Why a query has no result.
package enum QueryFailure: Error, Sendable, Hashable {
    /// There was no answer: the failure of the connection, or the timeout.
    case unreachable(String)
    /// The server rejected the query: its own words, such as `parse error: unclosed left parenthesis`.
    case rejected(type: String, String)
    /// The server rejected the credentials, or requires some.
    case unauthorized(status: Int)
    /// The HTTP status is not a good one, and the body has no error of Prometheus.
    case status(Int)
    /// The body is not JSON of Prometheus: a page of a proxy, for example.
    case notJSON(String)
    /// The body ended early.
    case incomplete
    /// The body is longer than the limit.
    case tooLong
    /// A file with credentials or certificates cannot be read, or the settings of the server are invalid.
    case settings(String)

    /// The failure of an answer that is a web page; nil for other text.
    static func webPage(_ text: String) -> QueryFailure? {
        let text = text.lowercased()
        guard text.contains("<html") || text.contains("<!doctype") else { return nil }
        return .notJSON("HTML instead of JSON – a proxy or a login page answers, or the URL is wrong")
    }

    /// Whether the server as a whole does not answer, so that other queries would fail as well.
    var isOfServer: Bool {
        switch self {
        case .unreachable, .unauthorized, .status, .notJSON, .incomplete, .settings: true
        case .rejected(let type, _): ["unavailable", "internal"].contains(type)
        case .tooLong: false
        }
    }

    /// Whether a query for fewer series may succeed.
    var isOfSize: Bool {
        switch self {
        case .tooLong: true
        case .rejected(_, let text): text.contains("too many samples") || text.contains("maximum resolution")
        default: false
        }
    }

    /// The failure with the server's own words replaced, as by a redaction.
    package func mapText(_ replaced: (String) -> String) -> QueryFailure {
        switch self {
        case .unreachable(let text): .unreachable(replaced(text))
        case .rejected(let type, let text): .rejected(type: replaced(type), replaced(text))
        case .notJSON(let text): .notJSON(replaced(text))
        case .settings(let text): .settings(replaced(text))
        case .unauthorized, .status, .incomplete, .tooLong: self
        }
    }

    /// The failure as part of a sentence.
    package var text: String {
        switch self {
        case .unreachable(let text), .notJSON(let text), .settings(let text): text
        case .rejected(let type, let text): type.isEmpty ? text : "\(text) (\(type))"
        case .unauthorized(401): "HTTP 401: it requires credentials, or rejected them"
        case .unauthorized(let status): "HTTP \(status): the credentials do not permit queries"
        case .status(let status): "HTTP \(status)"
        case .incomplete: "the answer ended early"
        case .tooLong: "the answer is too long"
        }
    }
}
