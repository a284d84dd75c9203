/// A matcher of a silence: it matches the alerts that have this value of a label.
package struct LabelMatcher: Sendable, Hashable {
    /// The name of the label.
    package let name: String
    /// Its value, as the server of the fleet has it.
    package let value: String

    /// Creates a matcher.
    package init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }

    /// The matcher as one line, as Alertmanager writes it: `target="Shop"`.
    package var text: String {
        let quoted = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\(name)=\"\(quoted.plainLabel(limit: 500) ?? "")\""
    }
}
