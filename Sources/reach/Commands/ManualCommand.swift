import ArgumentParser

/// `reach manual`: writes the manual page. `make install` uses it.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the manual page reach(1) to standard output.",
        usage: "reach manual | man -l -"
    )

    func run() throws {
        let page = try ManualPage().lines.joined(separator: "\n") + "\n"
        try StandardStreams.write(page, isData: true)
    }
}
