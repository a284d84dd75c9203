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
        /// The request was not answered, for this reason.
        case unanswered(Failure)
    }

    /// How the command or the request ended.
    public let status: Status
    /// How long the run took.
    public let duration: Duration
    /// The last of what a command wrote to standard output and standard error, as one text; what a request was answered.
    public let output: String
    /// How many bytes were written before that and are not kept.
    public let droppedBytes: Int
    /// How long the server asks to be left alone before the request is sent again; absent where nobody asks.
    public let retryAfter: Duration?

    /// The record of one ended run.
    public init(
        status: Status,
        duration: Duration,
        output: String = "",
        droppedBytes: Int = 0,
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.duration = duration
        self.output = output
        self.droppedBytes = droppedBytes
        self.retryAfter = retryAfter
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
        case .answered(let status): Reason.passingStatuses.contains(status)
        case .unanswered(let failure): failure.reason.mayPass
        case .cancelled: false
        case .exited, .signalled, .timedOut, .notStarted: !isSuccess
        }
    }
}
