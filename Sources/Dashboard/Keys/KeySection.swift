/// Rows of the key table that belong together, as help shows them.
public struct KeySection: Sendable, Hashable {
    /// What they are about, for the head.
    public let title: String
    /// The rows, in the order in which help shows them.
    public let bindings: [Binding]

    init(_ title: String, _ bindings: [Binding]) {
        self.title = title
        self.bindings = bindings
    }
}
