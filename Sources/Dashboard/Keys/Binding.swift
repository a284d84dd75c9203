public import Screen

/// A row of the key table: which keys, what they mean, and how help says it.
public struct Binding: Sendable, Hashable {
    /// The keys, any of which will do.
    public let keys: [Key]
    /// What they mean.
    public let action: Action
    /// The keys as help and footer name them.
    public let name: String
    /// What they do, as help says it.
    public let help: String
    /// What they do in a word or two for the footer; nil where the footer leaves it out.
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
