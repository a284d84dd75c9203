import Monitoring

extension TableReader {
    /// Reads a command. Variables are left for the shell, which also has those of the transition.
    mutating func command(_ key: String) -> HookCommand? {
        let example = "a line for the shell, or [\"program\", \"argument\"]"
        describe(key, as: .either([.name, .array(.string, isEmptyAllowed: false)]))
        switch value(key) {
        case nil: return nil
        case .string(let line):
            guard !line.allSatisfy(\.isWhitespace) else {
                report("the command is empty", hint: example, about: key)
                return nil
            }
            return .shell(line)
        case .array(let elements):
            let words = elements.compactMap { if case .string(let word) = $0 { word } else { nil } }
            guard words.count == elements.count else {
                report("expected strings only", hint: example, about: key)
                return nil
            }
            guard let program = words.first, !program.allSatisfy(\.isWhitespace) else {
                report("the command is empty", hint: example, about: key)
                return nil
            }
            return .program(program, arguments: Array(words.dropFirst()))
        case .some(let other):
            reportType(of: key, found: other, expected: "a string or an array of strings", hint: example)
            return nil
        }
    }
}
