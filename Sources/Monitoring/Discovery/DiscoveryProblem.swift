/// Why a list of targets cannot be used.
package struct DiscoveryProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, and its fix after a dash.
    package let description: String

    /// Creates a problem.
    package init(_ description: String) {
        self.description = description
    }
}
