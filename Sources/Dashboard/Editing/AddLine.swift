import Monitoring
import ReachBasics

/// The parsed input that adds a target: a URL as on the command line, then an optional name.
enum AddLine: Sendable, Hashable {
    /// An empty line.
    case empty
    /// The values of the new target.
    case target([TargetKey: String])
    /// An invalid line, with the problem.
    case invalid(String)

    init(_ text: String) {
        let text = text.trimmed
        guard !text.isEmpty else {
            self = .empty
            return
        }
        let url = String(text.prefix { $0 != " " })
        let name = String(text.dropFirst(url.count)).trimmed
        if let problem = Self.problem(withURL: url) {
            self = .invalid(problem)
        } else {
            self = .target(name.isEmpty ? [.url: url] : [.url: url, .name: name])
        }
    }

    /// Returns why a URL is invalid; nil if it is valid, or if it has variables, which only the settings can substitute.
    static func problem(withURL url: String) -> String? {
        guard !url.contains("${") else { return nil }
        do throws(URLProblem) {
            _ = try Question(url)
            return nil
        } catch {
            return error.description
        }
    }
}
