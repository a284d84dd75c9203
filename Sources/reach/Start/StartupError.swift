/// An error that prevents a command from starting, one line per problem. The exit status is 2.
struct StartupError: Error, CustomStringConvertible {
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }
}
