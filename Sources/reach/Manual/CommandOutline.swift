import ArgumentParser
import Foundation

/// What a command takes, as the parser itself tells it (`--experimental-dump-help`).
struct CommandOutline: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            /// As it is typed.
            var word: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }

        let kind: String
        let names: [Name]?
        let valueName: String
        let abstract: String?
        let defaultValue: String?
        let isOptional: Bool
        let isRepeating: Bool
        let shouldDisplay: Bool

        /// Whether it stands by its place, and not by a name.
        var isPositional: Bool { kind == "positional" }
    }

    let abstract: String
    let discussion: String?
    let arguments: [Argument]?

    /// Reads what the parser says of a command.
    static func of(_ command: any ParsableCommand.Type) throws -> CommandOutline {
        struct Dump: Decodable { let command: CommandOutline }
        return try JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8)).command
    }
}
