/// How a hook run ended. A command or a request that fails is a result, not an error.
public struct HookResult: Sendable, Hashable {
    /// How the command or the request ended.
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
        /// The request was answered with this HTTP status.
        case answered(status: Int)
        /// The request was not answered; the text says why.
        case unanswered(String)
    }

    /// How the command or the request ended.
    public let status: Status
    /// How long the run took.
    public let duration: Duration
    /// The last of what a command wrote to standard output and standard error, as one text; what a request was answered.
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

    /// Whether the command ended by itself with status 0, or the request was answered with one of 200…299.
    public var isSuccess: Bool {
        switch status {
        case .exited(let code): code == 0
        case .answered(let status): (200...299).contains(status)
        case .signalled, .timedOut, .cancelled, .notStarted, .unanswered: false
        }
    }

    /// Whether another try may end better: a server that understood the request and refused it will do so again.
    public var mayPass: Bool {
        switch status {
        case .answered(let status): [408, 429, 444, 503, 504, 599].contains(status)
        case .cancelled: false
        case .exited, .signalled, .timedOut, .notStarted, .unanswered: !isSuccess
        }
    }
}
