public import Screen

/// A row of the key table: keys, their action, and its description.
public struct Binding: Sendable, Hashable {
    /// The keys; each of them triggers the action.
    public let keys: [Key]
    /// The action of the keys.
    public let action: Action
    /// The names of the keys in help and footer.
    public let name: String
    /// The description of the action in help.
    public let help: String
    /// The description in one to three words for the footer; nil if the footer omits the key.
    public let hint: String?

    init(_ keys: [Key], _ action: Action, _ name: String, _ help: String, hint: String? = nil) {
        self.keys = keys
        self.action = action
        self.name = name
        self.help = help
        self.hint = hint
    }

    /// The names of the keys, one by one, for the manual and the documentation.
    public var names: [Substring] { name.split(separator: " ") }

    /// The help as a sentence, for the manual and the documentation.
    public var sentence: String { help.prefix(1).uppercased() + help.dropFirst() + "." }
}

/// A section of the key table, as help shows it.
public struct KeySection: Sendable, Hashable {
    /// The section's heading.
    public let title: String
    /// The rows, in the order in which help shows them.
    public let bindings: [Binding]

    init(_ title: String, _ bindings: [Binding]) {
        self.title = title
        self.bindings = bindings
    }
}
