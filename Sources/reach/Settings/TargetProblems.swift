/// Why there are no targets to ask, a line each.
struct TargetProblems: Error, CustomStringConvertible {
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }
}
