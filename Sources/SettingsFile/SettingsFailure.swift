/// Why the settings cannot be used.
public enum SettingsFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file was read and is invalid. All problems are listed, in the order of their lines.
    case problems([SettingsProblem])
    /// The file cannot be read; one line gives the reason.
    case unreadable(String)
    /// There is no file in the folders searched, which one line names.
    case notFound(String)

    /// One line for each problem.
    public var lines: [String] {
        switch self {
        case .problems(let problems): problems.map(\.description)
        case .unreadable(let line), .notFound(let line): [line]
        }
    }

    /// The lines as one text.
    public var description: String {
        lines.joined(separator: "\n")
    }
}
