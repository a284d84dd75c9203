import ReachBasics
package import ReachMonitoring
import ReachSystem

/// A settings file, which can be located and read.
package struct SettingsFile: Sendable, Hashable {
    /// The path, as the user wrote it.
    package let path: String

    /// The largest file size accepted, in bytes. The settings of fifty thousand targets are smaller.
    static let limit = 8_388_608

    /// The shortest interval between two probes of a target.
    package static let shortestInterval = Duration.milliseconds(10)

    /// Creates a settings file at a path.
    package init(path: String) {
        self.path = path
    }

    /// Reads and validates the file.
    ///
    /// - Parameter environment: The variables to substitute for `${NAME}`.
    /// - Throws: ``SettingsFailure`` with all problems of the settings, or the reason why the file cannot be read.
    package func read(environment: [String: String]) throws(SettingsFailure) -> Settings {
        try readText(environment: environment).settings
    }

    /// Reads and validates the file, like ``read(environment:)``, and returns its text as well.
    ///
    /// - Parameter mayLackTargets: Whether settings without targets are valid.
    package func readText(
        environment: [String: String],
        mayLackTargets: Bool = false
    ) throws(SettingsFailure) -> (text: String, settings: Settings) {
        let (text, ownership) = try content()
        return (text, try result(of: text, ownership, environment, mayLackTargets: mayLackTargets).settings())
    }

    /// Reads the file and the lists of sources that are in files, and returns all problems and warnings. Settings without
    /// targets are valid.
    ///
    /// - Parameters:
    ///   - environment: The variables to substitute for `${NAME}`.
    ///   - allowsUnset: Whether variables and secrets without a value are no problems. Values that have them are not checked.
    /// - Throws: ``SettingsFailure/unreadable(_:)``.
    package func validate(
        environment: [String: String],
        allowsUnset: Bool = false
    ) throws(SettingsFailure) -> SettingsReport {
        let (text, ownership) = try content()
        // `watch` waits for a reload then.
        let result = result(of: text, ownership, environment, mayLackTargets: true, allowsUnset: allowsUnset)
        var report = SettingsReport(
            settings: result.problems.isEmpty ? result.partial : nil,
            problems: result.problems,
            warnings: result.warnings,
            unset: result.unset
        )
        report.readLists(file: path)
        return report
    }

    /// Whether the file has no text. False if it cannot be read.
    package var isBlank: Bool {
        (try? content().text.isBlank) ?? false
    }

    /// Validates a text as if the file had it. The ownership of the file decides whether it may have commands; without a
    /// file, that of a new one. Settings without targets are valid.
    package func settings(from text: String, environment: [String: String]) throws(SettingsFailure) -> Settings {
        try result(of: text, ownership(), environment, mayLackTargets: true).settings()
    }

    private func ownership() throws(SettingsFailure) -> Ownership {
        if let status = stat(at: path) { return Ownership(status) }
        guard errno == ENOENT else {
            throw .unreadable("\(path): \(RegularFile.Failure(errno: errno).message)".onOneLine)
        }
        return Ownership(owner: UInt32(geteuid()), mode: 0o600, user: UInt32(geteuid()))
    }

    private func content() throws(SettingsFailure) -> (text: String, ownership: Ownership) {
        let content: RegularFile
        do {
            content = try RegularFile(path: path, limit: Self.limit)
        } catch {
            throw .unreadable("\(path): \(error.message)".onOneLine)
        }
        guard let text = content.text else {
            let line = content.firstInvalidLine
            throw .unreadable("\(path):\(line): the text is not UTF-8 – save the file as UTF-8".onOneLine)
        }
        return (text, content.ownership)
    }

    private func result(
        of text: String,
        _ ownership: Ownership,
        _ environment: [String: String],
        mayLackTargets: Bool = false,
        allowsUnset: Bool = false
    ) -> SettingsReader.ReadResult {
        var reader = SettingsReader(file: path, environment: environment, mayLackTargets: mayLackTargets)
        reader.allowsUnset = allowsUnset
        var result = reader.result(of: text)
        guard result.hasCommands else { return result }
        for file in [IncludedFiles.File(path: path, ownership: ownership)] + result.included {
            let problem =
                file.ownership.problem(file: file.path) ?? ParentDirectories(of: file.path).problem(file: file.path)
            if let problem { result.problems.append(problem) }
        }
        return result
    }
}

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
    package static func locate(
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
        let hint = "run reach init to write one, pass --config FILE, or name a target, such as 192.0.2.1"
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
        stat(at: path) != nil || (errno != ENOENT && errno != ENOTDIR)
    }
}
