/// One thing that is wrong with the settings: what, where, and what to do about it.
public struct SettingsProblem: Sendable, Hashable, CustomStringConvertible {
    /// The file, as the user named it.
    public var file: String
    /// The line, counted from one, where the file gives one.
    public var line: Int?
    /// The column, counted from one in Unicode scalars, where the file gives one.
    public var column: Int?
    /// What the problem is about, as a person finds it: `target "NAS": tcp.expect`. Empty for the file as a whole.
    public var keyPath: String
    /// What is wrong, as part of a sentence.
    public var message: String
    /// What to write or do instead, where there is a good guess.
    public var hint: String?

    /// A problem at a place, or with the file as a whole.
    public init(
        file: String,
        line: Int? = nil,
        column: Int? = nil,
        keyPath: String = "",
        message: String,
        hint: String? = nil
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.keyPath = keyPath
        self.message = message
        self.hint = hint
    }

    /// One line: `dashboard.toml:14:12: target "NAS": interval: 2 has no unit – did you mean "2s"?`.
    public var description: String {
        var place = file
        if let line { place += ":\(line)" + (column.map { ":\($0)" } ?? "") }
        let parts = [place, keyPath, message].filter { !$0.isEmpty }
        return (parts.joined(separator: ": ") + (hint.map { " – \($0)" } ?? "")).onOneLine
    }
}
