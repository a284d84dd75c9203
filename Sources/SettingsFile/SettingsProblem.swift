/// A problem in the settings: its position, message and hint.
public struct SettingsProblem: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file, as the user wrote it.
    public var file: String
    /// The line, counted from one; nil if the problem has no position.
    public var line: Int?
    /// The column, counted from one in Unicode scalars; nil if the problem has no position.
    public var column: Int?
    /// The table and key, for people: `target "NAS": tcp.expect`. Empty for the whole file.
    public var keyPath: String
    /// The problem, without its position.
    public var message: String
    /// The fix, if there is a likely one.
    public var hint: String?
    /// Whether this is a warning: a part of the settings that is valid and has no effect.
    public var isWarning = false

    /// Creates a problem at a position, or with the whole file.
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
        var position = file
        if let line { position += ":\(line)" + (column.map { ":\($0)" } ?? "") }
        let parts = [position, keyPath, isWarning ? "warning: \(message)" : message].filter { !$0.isEmpty }
        return (parts.joined(separator: ": ") + (hint.map { " – \($0)" } ?? "")).onOneLine
    }
}
