#if Fetch
import Monitoring

extension DNSModule.Validation {
    /// All patterns, in a fixed order.
    var patterns: [ModulePattern] { failsIfMatches + failsIfAllMatch + failsIfNotMatches + failsIfNoneMatches }

    /// Returns whether the records of a section are valid.
    ///
    /// - Parameters:
    ///   - matches: For each of ``patterns``, whether each record matches.
    ///   - count: The number of records.
    func isMet(by matches: [[Bool]], count: Int) -> Bool {
        var rest = matches[...]
        func next(_ patterns: [ModulePattern]) -> [[Bool]] {
            defer { rest = rest.dropFirst(patterns.count) }
            return Array(rest.prefix(patterns.count))
        }
        let (none, all) = (next(failsIfMatches), next(failsIfAllMatch))
        let (every, some) = (next(failsIfNotMatches), next(failsIfNoneMatches))
        if count == 0, !every.isEmpty || !some.isEmpty { return false }
        if none.contains(where: { $0.contains(true) }) || every.contains(where: { $0.contains(false) }) { return false }
        // As in the blackbox exporter, the probe passes only if every record matches each pattern.
        if !all.isEmpty, all.contains(where: { $0.contains(false) }) { return false }
        return some.isEmpty || some.contains { $0.contains(true) }
    }
}
#endif
