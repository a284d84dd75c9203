import ReachBasics

/// A format of the log.
public enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// `key=value` pairs, with values in quotes where necessary (https://pkg.go.dev/github.com/go-logfmt/logfmt).
    case logfmt
    /// A JSON object on each line.
    case json
}

/// An entry of the log.
///
/// ```
/// time=2026-11-20T14:02:19.114Z level=notice logger=targets message="down after 3 losses: refused" target=NAS
/// ```
public struct LogEntry: Sendable, Hashable {
    private let keys: [String: String]
    private let fields: [String: String]

    /// An entry at a time in UTC. Fields named `time`, `level`, `logger` or `message` are omitted.
    public init(time: String, level: String, logger: String, message: String, fields: [String: String]) {
        keys = ["time": time, "level": level, "logger": logger, "message": message]
        self.fields = fields.filter { [keys] in keys[$0.key] == nil }
    }

    /// The entry on one line, without its line end. Characters that a terminal would execute are escaped.
    public func line(in format: LogFormat) -> String {
        switch format {
        case .logfmt:
            let leading = ["time", "level", "logger", "message"].map { ($0, keys[$0] ?? "") }
            let pairs = leading + fields.sorted { $0.key < $1.key }.map { ($0.key.logfmtKey, $0.value) }
            return pairs.map { "\($0)=\($1.logfmtValue)" }.joined(separator: " ")
        case .json:
            return keys.merging(fields) { key, _ in key }.json
        }
    }
}

extension String {
    /// The text as a key of logfmt, which cannot be quoted.
    fileprivate var logfmtKey: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.needsQuotes ? "_" : $0 }))
    }

    /// The text as a value of logfmt: where it must be quoted, with the escapes of JSON.
    fileprivate var logfmtValue: String {
        isEmpty || unicodeScalars.contains(where: \.needsQuotes) ? json : self
    }
}

extension Unicode.Scalar {
    /// Whether a logfmt value with this scalar must be quoted.
    fileprivate var needsQuotes: Bool {
        self == "=" || self == "\"" || properties.isWhitespace || isControlling
    }
}
