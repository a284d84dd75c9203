import ArgumentParser
import Foundation
import ReachProbing
import ReachReporting
import ReachSettings
import ReachSystem

/// `reach init`: writes a commented settings file as a starting point, or the targets of another tool's file.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a settings file: a commented one as a starting point, or the targets of another tool.",
        usage: """
            reach init                               write ./dashboard.toml
            reach init ~/.config/reach/dashboard.toml
            reach init - | less                      show it
            reach init --from ~/.ssh/config          import the hosts of ssh
            reach init --from hosts.txt --group-by /24
            """,
        discussion: """
            The targets of the file are this machine, its default gateway and its resolvers; examples with other hosts are \
            commented out. An existing file is never overwritten. Only you can read and write the new file (mode 600).
            With --from, the targets are those of the file of another tool, as far as they fit: a list for fping -f, a \
            hosts file, an ssh configuration, a file for Prometheus's file_sd (JSON or YAML), or a configuration of Gatus. \
            The other parts are listed on standard error, with their lines and the reasons. A comment of an fping list directly \
            before hosts is the name of their group.
            Exit status: 0 written, 1 not written, 2 usage error.
            """
    )

    @Option(
        help: ArgumentHelp("Import the targets of this file; - is standard input.", valueName: "file"),
        completion: .file()
    )
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Format of that file: \(ImportFormat.allCases.map(\.rawValue).joined(separator: ", ")). (default: detected)",
            valueName: "format"
        ),
        completion: .list(ImportFormat.allCases.map(\.rawValue)),
        transform: ImportFormat.argument
    )
    var fromFormat: ImportFormat?

    @Option(
        help: ArgumentHelp(
            "With --from: group the addresses without a group by networks of this prefix, such as /24, /64 for IPv6, or /24,/64.",
            valueName: "prefix"
        )
    )
    var groupBy: String?

    @Argument(help: ArgumentHelp("File to write; - is standard output.", valueName: "file"), completion: .file())
    var file = "dashboard.toml"

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("empty file name – such as dashboard.toml") }
        guard fromFormat == nil || from != nil else {
            throw ValidationError("--from-format without --from – such as --from hosts.txt --from-format fping")
        }
        guard groupBy == nil || from != nil else {
            throw ValidationError("--group-by without --from – such as --from hosts.txt --group-by /24")
        }
        if let groupBy, NetworkPrefixes(groupBy) == nil {
            throw ValidationError("--group-by \(groupBy): invalid prefix – such as /24, /64 for IPv6, or /24,/64")
        }
    }

    /// The URL of the JSON Schema that is installed with this program; nil if there is none.
    private static var installedSchema: String? {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let folder = program.deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "share/reach/schemas/dashboard.schema.json")
        return FileManager.default.fileExists(atPath: file.path) ? file.absoluteString : nil
    }

    func run() throws {
        guard let from else {
            let text = SampleSettings.text(gateway: LocalServers().gateways.first, schema: Self.installedSchema)
            return try write(text, with: "edit it, then run:")
        }
        let prefixes = groupBy.flatMap(NetworkPrefixes.init)
        let imported: SettingsImport
        do {
            imported =
                try from == "-"
                ? SettingsImport(
                    bytes: try Self.standardInput(),
                    file: "standard input",
                    format: fromFormat,
                    groupedBy: prefixes
                )
                : SettingsImport(path: from, format: fromFormat, groupedBy: prefixes)
        } catch {
            for line in error.lines { StandardStreams.printMessage(line.printable) }
            throw ExitCode(1)
        }
        for note in imported.notes { StandardStreams.printMessage(note.description.printable) }
        let (count, notes) = (imported.targetCount, imported.partCount)
        let parts = notes == 0 ? "" : ", \(notes) \(notes == 1 ? "part does" : "parts do") not fit"
        let names = imported.variables.joined(separator: ", ")
        let variables = names.isEmpty ? "" : "; set the environment variables \(names)"
        if file == "-", !names.isEmpty {
            StandardStreams.printMessage("the settings use variables: \(names)".printable)
        }
        try write(imported.text, with: "\(count) \(count == 1 ? "target" : "targets")\(parts)\(variables); run:")
    }

    /// Reads standard input until its end, or until it is larger than any file that is imported.
    private static func standardInput() throws(SettingsFailure) -> [UInt8] {
        do throws(SystemError) {
            return try readAll(from: STDIN_FILENO, limit: SettingsImport.sizeLimit + 1)
        } catch {
            throw .unreadable("standard input: \(error)")
        }
    }

    /// Writes the file, and prints its name with a remark and the command that reads it.
    private func write(_ text: String, with remark: String) throws {
        guard file != "-" else { return try StandardStreams.write(text, isData: true) }
        do throws(WriteFailure) {
            try SettingsFile(path: file).create(text)
        } catch {
            StandardStreams.printMessage("\(file): \(error)".printable)
            throw ExitCode(1)
        }
        let option = file == "dashboard.toml" ? "" : " --config \(file)"
        StandardStreams.printMessage("wrote \(file) – \(remark) reach\(option)".printable)
    }
}
