import LibC

extension SettingsFile {
    /// The name of the settings file in each directory searched.
    private static let name = "dashboard.toml"

    /// Finds the settings: `config`, `$REACH_CONFIG`, `dashboard.toml` in the current directory, then in
    /// `$XDG_CONFIG_HOME/reach` (`~/.config/reach`).
    ///
    /// A file named by `config` or `$REACH_CONFIG` must exist. Missing files in the other places are skipped.
    ///
    /// - Parameters:
    ///   - config: The argument of `--config`.
    ///   - environment: The environment of the program.
    ///   - currentDirectory: The current directory, as shown in messages.
    /// - Throws: ``SettingsFailure/notFound(_:)`` with the places searched and the ways to fix it, or
    ///   ``SettingsFailure/unreadable(_:)`` if a named file does not exist.
    public static func locate(
        config: String?,
        environment: [String: String],
        currentDirectory: String = "."
    ) throws(SettingsFailure) -> SettingsFile {
        if let config {
            return try file(config, from: "--config")
        }
        if let variable = environment["REACH_CONFIG"], !variable.isEmpty {
            return try file(variable, from: "$REACH_CONFIG")
        }
        let paths = [currentDirectory == "." ? name : "\(currentDirectory)/\(name)", inHome(environment)]
            .compactMap(\.self)
        if let path = paths.first(where: exists) {
            return SettingsFile(path: path)
        }
        let hint = "run reach init to write one, pass --config FILE, or name a target: reach 192.0.2.1"
        throw .notFound("no settings file: looked for \(paths.joined(separator: ", then ")) – \(hint)".onOneLine)
    }

    private static func file(_ path: String, from source: String) throws(SettingsFailure) -> SettingsFile {
        guard !path.isEmpty else { throw .unreadable("\(source): the file name is empty – such as \(name)") }
        guard exists(path) else {
            throw .unreadable("\(path): no such file – check \(source)".onOneLine)
        }
        return SettingsFile(path: path)
    }

    /// The path in the user's configuration directory. A relative `$XDG_CONFIG_HOME` is ignored, as its specification
    /// requires.
    private static func inHome(_ environment: [String: String]) -> String? {
        if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") {
            return "\(directory)/reach/\(name)"
        }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.config/reach/\(name)" }
    }

    /// Whether the path exists, even if it cannot be read. ``read(environment:)`` reports unreadable files.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }
}
