import ArgumentParser
import Monitoring
import Reporting

extension Reach {
    /// Returns a command line with the command before its options: `-c FILE check` becomes `check -c FILE`. The words before
    /// the command must be options of the dashboard, so that the values of its options are known.
    static func commandFirst(_ arguments: [String]) -> [String] {
        let index = misplacedCommands(in: arguments).first { index in
            let dashboard = try? DashboardCommand.parse(Array(arguments[..<index]))
            return dashboard?.options.targets.isEmpty ?? false
        }
        return index.map { moved(arguments, $0) } ?? arguments
    }

    /// Returns the problem with options that only the command after them has; nil for another command line.
    static func misplacedOptions(in arguments: [String]) -> String? {
        let commands = misplacedCommands(in: arguments).map { moved(arguments, $0) }
        guard !commands.isEmpty, (try? parseAsRoot(arguments)) == nil else { return nil }
        let valid = commands.first { (try? parseAsRoot(WaitCommand.normalized($0))) != nil }
        guard let valid else { return nil }
        let fixed = (["reach"] + valid.map(\.shellWord)).joined(separator: " ")
        return "the options of \"\(valid[0])\" are before it – did you mean \"\(fixed)\"?".printable
    }

    /// The indices of the words after an option that are names of commands.
    private static func misplacedCommands(in arguments: [String]) -> [Int] {
        guard arguments.first?.hasPrefix("-") ?? false else { return [] }
        return arguments.prefix { $0 != "--" }.indices.filter { subcommands.contains(arguments[$0]) }
    }

    private static func moved(_ arguments: [String], _ index: Int) -> [String] {
        [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
    }
}
