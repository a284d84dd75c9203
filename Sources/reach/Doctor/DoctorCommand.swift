import ArgumentParser
import Foundation
import ReachBasics
import ReachMonitoring
import ReachProbing

/// `reach doctor`: checks the rights, network and terminal of this machine, and prints the fix for each problem.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check ICMP rights, DNS, routes and the terminal, and print the fix for each problem.",
        usage: """
            reach doctor
            reach doctor --name nas.local  resolve this name instead of example.com
            """,
        discussion: """
            Each line begins with ok, -- (missing, but not required) or !! (a problem, with the command that fixes it \
            below). Exit status: 0 no problem, 1 problems.
            """
    )

    @Option(help: ArgumentHelp("Name to resolve.", valueName: "name"))
    var name = "example.com"

    func run() async throws {
        guard !name.isBlank else {
            throw StartupError("--name: no name to resolve – such as --name nas.local")
        }
        let name: String
        do throws(URLProblem) {
            name = try self.name.convertedDomainName
        } catch {
            throw StartupError("--name: \(error)")
        }
        let names = name == "localhost" ? [name] : ["localhost", name]
        let diagnosis = await Diagnosis.make(lookingUp: names, within: .seconds(6))
        let terminal = TerminalEnvironment(
            isTerminal: StandardStreams.isTerminal,
            isRoot: geteuid() == 0,
            variables: ProcessInfo.processInfo.environment
        )
        let checks = DoctorReport(diagnosis: diagnosis, environment: terminal).checks
        try StandardStreams.write(checks.map { "\($0.text)\n" }.joined())
        if checks.contains(where: { $0.status == .problem }) { throw ExitCode(1) }
    }
}
