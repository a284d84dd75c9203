import ArgumentParser
import ReachMonitoring

extension Duration {
    /// Parses the argument of an option that takes a time, longer than zero.
    static func argument(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text), duration > .zero else {
            throw ValidationError(text.durationProblem ?? "invalid duration \"\(text)\" – such as 250ms, 30s, 5m")
        }
        return duration
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// Parses the argument of an option that takes one of a few words.
    static func argument(_ text: String) throws -> Self {
        if let choice = Self(rawValue: text) { return choice }
        let names = allCases.map(\.rawValue)
        throw ValidationError("use \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
    }
}
