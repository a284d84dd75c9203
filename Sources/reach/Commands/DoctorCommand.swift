import ArgumentParser
import Foundation
import Probing

/// `reach doctor`: whether this machine lets the program do its work, and what mends it where not.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tell whether this machine can ask, resolve names and draw, and what mends it where not.",
        usage: """
            reach doctor
            reach doctor --name nas.local  with a name of yours to resolve
            """,
        discussion: """
            Each line is ok, -- for what is not there and need not be, or !! for a problem, with the command that \
            mends it below. Exit status: 0 no problem, 1 problems.
            """
    )

    @Option(help: ArgumentHelp("The name that the resolver is asked for.", valueName: "name"))
    var name = "example.com"

    func run() async throws {
        let diagnosis = await Diagnosis.make(lookingUp: ["localhost", name], within: .seconds(6))
        let surroundings = Surroundings(
            isTerminal: StandardStreams.isTerminal,
            isRoot: geteuid() == 0,
            environment: ProcessInfo.processInfo.environment
        )
        let lines = Checkup(diagnosis: diagnosis, surroundings: surroundings).lines
        try StandardStreams.write(lines.map { "\($0.text)\n" }.joined())
        if lines.contains(where: { $0.mark == .problem }) { throw ExitCode(1) }
    }
}
