import Monitoring

/// Why a story cannot be played.
public struct StoryProblem: Error, CustomStringConvertible {
    /// The reason, in words.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text) else { throw StoryProblem("\(text) is no duration") }
        return duration
    }
}
