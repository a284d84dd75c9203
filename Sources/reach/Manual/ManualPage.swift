import ArgumentParser
import Foundation
import ReachDashboard

/// The manual page reach(1), generated from the definitions of the commands, the key table and the fields of hooks, so that
/// it always matches the program.
struct ManualPage {
    /// The date of the last change of the page, in the format of mdoc(7).
    private static let date = "November 23, 2026"

    /// The lines of the page, in mdoc.
    let lines: [String]

    init() throws {
        let commands = Reach.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        var lines = [".Dd \(Self.date)", ".Dt REACH 1", ".Os", ".Sh NAME", ".Nm reach"]
        lines.append(".Nd show what answers on your network, and run a command when something answers again")
        lines.append(".Sh SYNOPSIS")
        for command in commands { lines += try Self.synopsis(of: command) }
        lines += [".Nm", ".Fl \\-help | \\-version | V", ".Sh DESCRIPTION"] + Self.description + [".Sh COMMANDS"]
        lines += Mdoc.paragraph("Without a command, the dashboard is shown.")
        for command in commands { lines += try Self.section(for: command) }
        lines += [".Sh TARGETS"] + Self.targets
        lines += [".Sh HEALTH"] + Self.health
        lines += [".Sh KEYS"] + Self.keys
        lines += [".Sh HOOKS"] + Self.hooks
        lines += [".Sh SECRETS"] + Self.secrets
        lines += [".Sh ENVIRONMENT"] + Mdoc.list(of: "Ev", Self.environment)
        lines += [".Sh FILES"] + Mdoc.list(of: "Pa", Self.files)
        lines += [".Sh EXIT STATUS"] + Mdoc.list(of: "Li", Self.statuses)
        lines += [".Sh SEE ALSO"] + Self.relatives
        self.lines = lines
    }

    /// Returns the synopsis of a command.
    private static func synopsis(of command: any ParsableCommand.Type) throws -> [String] {
        let name = command.configuration.commandName ?? ""
        let isDefault = command == Reach.configuration.defaultSubcommand
        var lines = [".Nm", isDefault ? ".Op Cm \(name)" : ".Cm \(name)", ".Op Ar options"]
        for argument in try CommandOutline.of(command).arguments ?? [] where argument.isPositional {
            let value = Mdoc.argument(argument.valueName) + (argument.isRepeating ? " ..." : "")
            // The parser shares the optional targets of the other commands, but `wait` requires one.
            let isOptional = argument.isOptional && command != WaitCommand.self
            lines.append(isOptional ? ".Op Ar \(value)" : ".Ar \(value)")
        }
        return command == WaitCommand.self ? lines + [".Op Fl \\- Ar command ..."] : lines
    }

    /// Returns the section of a command: description, examples and options.
    private static func section(for command: any ParsableCommand.Type) throws -> [String] {
        let outline = try CommandOutline.of(command)
        var rows = (outline.arguments ?? []).filter(\.shouldDisplay).map { row(for: $0) }
        if command == WaitCommand.self {
            rows.append((term: "Fl \\- Ar command ...", text: "Command to run on success, with its arguments."))
        }
        return [".Ss \(Mdoc.text(command.configuration.commandName ?? ""))"]
            + Mdoc.paragraph(outline.abstract)
            + Mdoc.literal(command.configuration.usage ?? "")
            + Mdoc.paragraphs(outline.discussion ?? "")
            + Mdoc.list(rows)
    }

    /// Returns the list row of an option or an argument.
    private static func row(for argument: CommandOutline.Argument) -> (term: String, text: String) {
        var text = argument.abstract ?? ""
        if let value = argument.defaultValue { text += " (default: \(value))" }
        let value = "Ar " + Mdoc.argument(argument.valueName)
        guard !argument.isPositional else { return (argument.isRepeating ? "\(value) ..." : value, text) }
        let names = (argument.names ?? []).map { "Fl " + Mdoc.text(String($0.spelling.dropFirst())) }
        return (names.joined(separator: " , ") + (argument.kind == "option" ? " \(value)" : ""), text)
    }

    /// The sections of the key table.
    private static var keys: [String] {
        var lines: [String] = []
        for section in KeyTable.sections {
            lines.append(".Ss \(Mdoc.text(section.title))")
            let rows = section.bindings.map { binding in
                let keys = binding.names.map { "Ic " + Mdoc.argument(String($0)) }
                return (term: keys.joined(separator: " , "), text: binding.sentence)
            }
            lines += Mdoc.list(rows)
        }
        return lines
    }
}

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

/// The arguments of a command, decoded from the output of the parser (`--experimental-dump-help`).
struct CommandOutline: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            /// The name as it is typed.
            var spelling: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        let kind: String
        let names: [Name]?
        let valueName: String
        let abstract: String?
        let defaultValue: String?
        let isOptional: Bool
        let isRepeating: Bool
        let shouldDisplay: Bool

        /// Whether the argument has a position instead of a name.
        var isPositional: Bool { kind == "positional" }
    }

    let abstract: String
    let discussion: String?
    let arguments: [Argument]?

    /// Returns the outline of a command.
    static func of(_ command: any ParsableCommand.Type) throws -> CommandOutline {
        struct CommandDescription: Decodable { let command: CommandOutline }
        return try JSONDecoder().decode(CommandDescription.self, from: Data(command._dumpHelp().utf8)).command
    }
}
