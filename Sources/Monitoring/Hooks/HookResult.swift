/// How a hook run ended. A command that fails is a result, not an error.
public struct HookResult: Sendable, Hashable {
    /// How the command ended.
    public enum Status: Sendable, Hashable {
        /// It ended by itself with this exit status.
        case exited(Int)
        /// A signal ended it.
        case signalled(Int)
        /// It took longer than the rule allows and was ended.
        case timedOut
        /// It was ended because the program is quitting.
        case cancelled
        /// It could not be started; the text says why.
        case notStarted(String)
    }

    /// How the command ended.
    public let status: Status
    /// How long the run took.
    public let duration: Duration
    /// The last of what it wrote to standard output and standard error, as one text.
    public let output: String
    /// How many bytes were written before that and are not kept.
    public let droppedBytes: Int

    /// The record of one ended run.
    public init(status: Status, duration: Duration, output: String = "", droppedBytes: Int = 0) {
        self.status = status
        self.duration = duration
        self.output = output
        self.droppedBytes = droppedBytes
    }

    /// Whether the command ended by itself with status 0.
    public var isSuccess: Bool {
        status == .exited(0)
    }
}
