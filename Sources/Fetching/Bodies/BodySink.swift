/// Where the bodies of good answers go, a piece at a time: the next piece is asked of the server when this one is gone, so that
/// memory stays bounded however long a body is.
public protocol BodySink: Sendable {
    /// Whether a body that broke off can be followed by another one: nothing of it has gone where it cannot be taken back.
    var canBeginAnew: Bool { get }

    /// A body begins, and what came of one that broke off is void.
    ///
    /// - Parameter length: how many bytes are to come; nil when the server does not say.
    func begin(length: Int64?) async throws(FileProblem)
    /// A piece of it has come.
    func take(_ piece: [UInt8]) async throws(FileProblem)
    /// All of it has come.
    func end() async throws(FileProblem)
}
