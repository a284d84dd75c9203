import ArgumentParser
import Dashboard

/// The manual page, reach(1): made of the definitions of the commands, of the key table and of the fields of hooks, so
/// that it cannot say other things than the program does.
struct ManualPage {
    /// When what it says last changed, as mdoc(7) writes dates.
    private static let date = "November 21, 2026"

    /// All lines of the page, in mdoc.
    let lines: [String]

    init() throws {
        let commands = Reach.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        var lines = [".Dd \(Self.date)", ".Dt REACH 1", ".Os reach \(Reach.version)", ".Sh NAME", ".Nm reach"]
        lines.append(".Nd show what answers, and run a command when something answers again")
        lines.append(".Sh SYNOPSIS")
        for command in commands { lines += try Self.synopsis(of: command) }
        lines += [".Nm", ".Fl \\-help | \\-version", ".Sh DESCRIPTION"] + Self.description + [".Sh COMMANDS"]
        lines += Mdoc.paragraph("Without a command, the dashboard is shown.")
        for command in commands { lines += try Self.part(about: command) }
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

    /// A line of the synopsis.
    private static func synopsis(of command: any ParsableCommand.Type) throws -> [String] {
        let name = command.configuration.commandName ?? ""
        let isDefault = command == Reach.configuration.defaultSubcommand
        var lines = [".Nm", isDefault ? ".Op Cm \(name)" : ".Cm \(name)", ".Op Ar options"]
        for argument in try CommandOutline.of(command).arguments ?? [] where argument.isPositional {
            let value = Mdoc.argument(argument.valueName) + (argument.isRepeating ? " ..." : "")
            // Its targets are those of the other commands, but it checks that there is one.
            let isOptional = argument.isOptional && command != WaitCommand.self
            lines.append(isOptional ? ".Op Ar \(value)" : ".Ar \(value)")
        }
        return command == WaitCommand.self ? lines + [".Op Fl \\- Ar command ..."] : lines
    }

    /// The part about a command: what it does, examples, and its options.
    private static func part(about command: any ParsableCommand.Type) throws -> [String] {
        let outline = try CommandOutline.of(command)
        var rows = (outline.arguments ?? []).filter(\.shouldDisplay).map { row(for: $0) }
        if command == WaitCommand.self {
            rows.append((term: "Fl \\- Ar command ...", text: "What to run then: all that follows, as it stands."))
        }
        return [".Ss \(Mdoc.text(command.configuration.commandName ?? ""))"]
            + Mdoc.paragraph(outline.abstract)
            + Mdoc.literal(command.configuration.usage ?? "")
            + Mdoc.paragraphs(outline.discussion ?? "")
            + Mdoc.list(rows)
    }

    /// What there is to say of an option or an argument.
    private static func row(for argument: CommandOutline.Argument) -> (term: String, text: String) {
        var text = argument.abstract ?? ""
        if let value = argument.defaultValue { text += " The default is \(value)." }
        let value = "Ar " + Mdoc.argument(argument.valueName)
        guard !argument.isPositional else { return (argument.isRepeating ? "\(value) ..." : value, text) }
        let names = (argument.names ?? []).map { "Fl " + Mdoc.text(String($0.word.dropFirst())) }
        return (names.joined(separator: " , ") + (argument.kind == "option" ? " \(value)" : ""), text)
    }

    /// The rows of the key table.
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
