import ArgumentParser
import Reporting

/// `reach init`: writes a settings file to begin with.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented settings file to begin with.",
        usage: """
            reach init                               writes ./dashboard.toml
            reach init ~/.config/reach/dashboard.toml
            reach init - | less                      shows it
            """,
        discussion: """
            Nothing is ever overwritten. The file is for you alone to read and to write (mode 600).
            Exit status: 0 written, 1 not written, 2 usage.
            """
    )

    @Argument(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"), completion: .file())
    var file = "dashboard.toml"

    func validate() throws {
        guard !file.isEmpty else { throw ValidationError("the name of the file is empty – such as dashboard.toml") }
    }

    func run() throws {
        guard file != "-" else {
            return try StandardStreams.write(String(decoding: StartingFile.bytes, as: UTF8.self))
        }
        if let trouble = StartingFile.write(to: file) {
            StandardStreams.complain("\(file): \(trouble)".printable)
            throw ExitCode(1)
        }
        let option = file == "dashboard.toml" ? "" : " --config \(file)"
        StandardStreams.complain("wrote \(file); look into it, then: reach\(option)".printable)
    }
}
