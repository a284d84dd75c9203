/// A part of the stored history, for its export and import.
package enum StoredRecord: Sendable, Hashable {
    /// A target, by its number in the file.
    case target(id: Int64, name: String, url: String, group: String?)
    /// A run of the program. One without an end was killed, or still runs.
    case run(id: Int64, source: String, version: String, start: Duration, seen: Duration, end: Duration?)
    /// An event of a target or, without one, of the program.
    case event(HistoryEvent, target: Int64?, run: Int64)
    /// The probes of a target in a minute, by its number since 1970.
    case minute(ProbeFigures, target: Int64, number: Int64)
    /// The probes of a target in an hour, by its number since 1970.
    case hour(ProbeFigures, target: Int64, number: Int64)
}
