/// Why there are no settings.
public enum SettingsFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file was read, and this is all that is wrong with it, in the order of its lines.
    case problems([SettingsProblem])
    /// There is no file, or none that can be read; one line says why.
    case unreadable(String)

    /// One line for each problem.
    public var lines: [String] {
        switch self {
        case .problems(let problems): problems.map(\.description)
        case .unreadable(let line): [line]
        }
    }

    /// The lines as one text.
    public var description: String {
        lines.joined(separator: "\n")
    }
}
