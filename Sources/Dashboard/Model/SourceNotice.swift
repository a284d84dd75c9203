/// The refresh of a source of targets, as far as it has changed something.
public struct SourceNotice: Sendable, Hashable {
    /// The name of the source, without secrets.
    public let name: String
    /// Whether its list is another one.
    public let hasNewList: Bool
    /// Its problem, with what follows from it; nil without a problem.
    public let problem: String?
    /// The targets of its list that were left out; nil if there are none.
    public let leftOut: String?

    /// Creates a notice.
    public init(name: String, hasNewList: Bool, problem: String?, leftOut: String? = nil) {
        (self.name, self.hasNewList, self.problem, self.leftOut) = (name, hasNewList, problem, leftOut)
    }
}
