extension Settings {
    /// The targets of a list that were left out.
    package struct LeftOut: Sendable, Hashable {
        /// The number of targets.
        package let count: Int
        /// The number of targets in the list.
        package let total: Int
        /// The address of the first one, and its problem.
        package let first: String

        /// The summary, as part of a sentence.
        package var summary: String { "\(count) of \(total) targets left out, the first: \(first)" }
    }

    /// Sets the targets to those of the file and of the sources' lists. Targets that the file or an earlier source has too are
    /// left out without a note.
    ///
    /// - Returns: The targets that cannot be made, by source.
    package mutating func discover(_ lists: [DiscoverySource.Kind: DiscoveryList]) -> [DiscoverySource: LeftOut] {
        guard !sources.isEmpty else { return [:] }
        var names = DiscoveredNames(ownTargets)
        var leftOut: [DiscoverySource: LeftOut] = [:]
        targets = ownTargets
        for source in sources {
            guard let list = lists[source.kind] else { continue }
            var made: [Target] = []
            var problems: (count: Int, first: String) = (0, "")
            for target in list.targets {
                do throws(DiscoveryProblem) {
                    try target.checkAddress()
                    made += try source.targets(target)
                } catch {
                    if problems.count == 0 { problems.first = "\(target.address.quotedOnOneLine): \(error)" }
                    problems.count += 1
                }
            }
            if problems.count > 0 {
                leftOut[source] = LeftOut(count: problems.count, total: list.targets.count, first: problems.first)
            }
            targets += names.named(made)
        }
        for index in targets.indices.dropFirst(ownTargets.count) {
            targets[index].dependsOn.removeAll {
                if case .target(let name) = $0 { disabledTargets.contains(name) } else { false }
            }
        }
        redaction.cover(targets)
        return leftOut
    }
}
