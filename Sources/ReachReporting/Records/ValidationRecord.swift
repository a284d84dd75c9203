/// The result of `validate --json` as one JSON object. The keys are stable: they are only ever added to.
public struct ValidationRecord: Sendable, Hashable, Encodable {
    /// A problem or warning.
    public struct Problem: Sendable, Hashable, Encodable {
        /// Whether the settings can be used in spite of it.
        public enum Severity: String, Sendable, Hashable, CaseIterable, Encodable {
            case error, warning
        }

        let severity: Severity
        let file: String?
        let line: Int?
        let column: Int?
        let key: String?
        let message: String
        let fix: String?

        /// Creates a record; unknown values are nil.
        public init(
            _ severity: Severity,
            _ message: String,
            fix: String? = nil,
            key: String? = nil,
            file: String? = nil,
            line: Int? = nil,
            column: Int? = nil
        ) {
            (self.severity, self.message, self.fix, self.key) = (severity, message, fix, key)
            (self.file, self.line, self.column) = (file, line, column)
        }
    }

    /// The numbers of targets, Prometheus servers, modules and hooks, absent with errors.
    public struct Counts: Sendable, Hashable, Encodable {
        let targets: Int
        let notEnabled: Int
        let prometheus: Int
        let modules: Int
        let hooks: Int

        enum CodingKeys: String, CodingKey {
            case targets, prometheus, modules, hooks
            case notEnabled = "not_enabled"
        }

        /// Creates the counts.
        public init(targets: Int, notEnabled: Int, prometheus: Int = 0, modules: Int = 0, hooks: Int) {
            (self.targets, self.notEnabled, self.hooks) = (targets, notEnabled, hooks)
            (self.prometheus, self.modules) = (prometheus, modules)
        }
    }

    let ok: Bool
    let counts: Counts?
    let problems: [Problem]
    /// The variables and secrets without a value.
    let notSet: [String]?
    /// The sources whose lists were not read.
    let notFetched: [String]?

    enum CodingKeys: String, CodingKey {
        case ok, counts, problems
        case notSet = "not_set"
        case notFetched = "not_fetched"
    }

    /// Creates the record of valid settings with their counts, or of invalid ones without.
    public init(_ counts: Counts?, _ problems: [Problem], notSet: [String] = [], notFetched: [String] = []) {
        (self.counts, self.problems, self.notSet) = (counts, problems, notSet.nonEmpty)
        self.notFetched = notFetched.nonEmpty
        ok = counts != nil
    }
}
