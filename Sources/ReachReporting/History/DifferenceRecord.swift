package import ReachMonitoring

/// A difference between two moments as JSON. The keys are stable: they are only ever added to.
package struct DifferenceRecord: Sendable, Hashable, Codable {
    package var target: String
    package var change: String
    package var worse: Bool
    package var text: String

    package init(_ difference: MomentDifference) {
        target = difference.name
        (change, worse, text) = (difference.change.rawValue, difference.change.isWorse, difference.text)
    }
}
