import ArgumentParser
import Foundation
import Probing
import Reporting

/// `reach init`: writes a commented settings file as a starting point.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented settings file as a starting point.",
        usage: """
            reach init                               write ./dashboard.toml
            reach init ~/.config/reach/dashboard.toml
            reach init - | less                      show it
            """,
        discussion: """
            The targets of the file are this machine, its default gateway and its resolvers; examples with other hosts are \
            commented out. An existing file is never overwritten. Only you can read and write the new file (mode 600).
            Exit status: 0 written, 1 not written, 2 usage error.
            """
    )

    @Argument(help: ArgumentHelp("File to write; - is standard output.", valueName: "file"), completion: .file())
    var file = "dashboard.toml"

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("empty file name – such as dashboard.toml") }
    }

    /// The URL of the JSON Schema that is installed with this program; nil if there is none.
    private static var installedSchema: String? {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let folder = program.deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "share/reach/schemas/dashboard.schema.json")
        return FileManager.default.fileExists(atPath: file.path) ? file.absoluteString : nil
    }

    func run() throws {
        let text = SampleSettings.text(gateway: LocalServers().gateways.first, schema: Self.installedSchema)
        guard file != "-" else { return try StandardStreams.write(text, isData: true) }
        if let problem = SampleSettings.write(text, to: file) {
            StandardStreams.printMessage("\(file): \(problem)".printable)
            throw ExitCode(1)
        }
        let option = file == "dashboard.toml" ? "" : " --config \(file)"
        StandardStreams.printMessage("wrote \(file) – edit it, then run: reach\(option)".printable)
    }
}
