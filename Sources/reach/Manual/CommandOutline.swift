import ArgumentParser
import Foundation

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
