#if Fetch
import Monitoring

extension DNSModule.Validation {
    /// All patterns, in a fixed order.
    var patterns: [ModulePattern] { failsIfMatches + failsIfAllMatch + failsIfNotMatches + failsIfNoneMatches }

    /// Returns whether the records of a section are valid.
    ///
    /// - Parameters:
    ///   - matches: For each of ``patterns``, whether each record matches.
    ///   - records: The texts of the records.
    ///   - log: Called with each step, in the words of the blackbox exporter.
    func isMet(
        by matches: [[Bool]],
        _ records: [String],
        log: (ModuleReport.LogLine.Level, String, KeyValuePairs<String, String>) -> Void
    ) -> Bool {
        var rest = Array(zip(patterns.map(\.text), matches))[...]
        func next(_ patterns: [ModulePattern]) -> [(pattern: String, matches: [Bool])] {
            defer { rest = rest.dropFirst(patterns.count) }
            return rest.prefix(patterns.count).map { (pattern: $0.0, matches: $0.1) }
        }
        let (none, all) = (next(failsIfMatches), next(failsIfAllMatch))
        let (every, some) = (next(failsIfNotMatches), next(failsIfNoneMatches))
        for (patterns, name) in [(every, "fail_if_not_matches_regexp"), (some, "fail_if_none_matches_regexp")]
        where records.isEmpty && !patterns.isEmpty {
            log(.error, "\(name) specified but no RRs returned", [:])
            return false
        }
        for (index, record) in records.enumerated() {
            log(.debug, "Validating RR", ["rr": record])
            if let match = none.first(where: { $0.matches[index] }) {
                log(.error, "At least one RR matched regexp", ["regexp": match.pattern, "rr": record])
                return false
            }
            if let match = every.first(where: { !$0.matches[index] }) {
                log(.error, "At least one RR did not match regexp", ["regexp": match.pattern, "rr": record])
                return false
            }
        }
        // As in the blackbox exporter, the probe passes only if every record matches each pattern.
        if all.contains(where: { $0.matches.contains(false) }) {
            log(.error, "Not all RRs matched regexp", [:])
            return false
        }
        if !some.isEmpty, !some.contains(where: { $0.matches.contains(true) }) {
            log(.error, "None of the RRs did matched any regexp", [:])
            return false
        }
        return true
    }
}
#endif
