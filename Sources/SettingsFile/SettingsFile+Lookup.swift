import LibC

extension SettingsFile {
    /// The file's name where the settings are looked for in a folder.
    private static let name = "dashboard.toml"

    /// Finds the settings: `config`, `$REACH_CONFIG`, `dashboard.toml` in the current directory, then in
    /// `$XDG_CONFIG_HOME/reach` (`~/.config/reach`).
    ///
    /// A file that is named must be there; the others are passed over if they are not.
    ///
    /// - Parameters:
    ///   - config: what `--config` names.
    ///   - environment: the program's environment.
    ///   - currentDirectory: where to look second, as messages shall name it.
    /// - Throws: ``SettingsFailure/unreadable(_:)``, which says where it was looked for and what to do.
    public static func locate(
        config: String?,
        environment: [String: String],
        currentDirectory: String = "."
    ) throws(SettingsFailure) -> SettingsFile {
        if let config {
            return try named(config, by: "--config")
        }
        if let variable = environment["REACH_CONFIG"], !variable.isEmpty {
            return try named(variable, by: "$REACH_CONFIG")
        }
        let places = [currentDirectory == "." ? name : "\(currentDirectory)/\(name)", inHome(environment)]
            .compactMap(\.self)
        if let path = places.first(where: exists) {
            return SettingsFile(path: path)
        }
        let hint = "reach init writes one, reach 192.0.2.1 needs none, --config FILE names one"
        throw .unreadable("no settings file: looked for \(places.joined(separator: ", then ")) – \(hint)".onOneLine)
    }

    private static func named(_ path: String, by source: String) throws(SettingsFailure) -> SettingsFile {
        guard !path.isEmpty else { throw .unreadable("\(source) names no file – such as \(source) \(name)") }
        guard exists(path) else {
            throw .unreadable("\(path): no such file – \(source) names it".onOneLine)
        }
        return SettingsFile(path: path)
    }

    /// The place in the user's own folder; the standard says to pass over a relative `$XDG_CONFIG_HOME`.
    private static func inHome(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            return "\(folder)/reach/\(name)"
        }
        return environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.config/reach/\(name)" }
    }

    /// Whether something is at the path, if only something that cannot be read: that is for the reader to say.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }
}
