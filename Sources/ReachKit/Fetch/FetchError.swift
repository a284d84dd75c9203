import Fetching

/// Why a fetch has not brought what it was sent for.
public enum FetchError: Error, Sendable, Hashable {
    /// The trouble could have passed, but did not within the retries; the last try met this.
    indirect case inaccessible(last: FetchError)
    /// The task was cancelled.
    case cancelled
    /// No whole answer came, for this reason.
    case network(Fetch.Trouble)
    /// What came is no HTTP: another protocol is spoken there.
    case notHTTP(String)
    /// The server says no: its status is not one of 200…299. The answer has its header fields and its body.
    case status(Fetch.Answer)
    /// The answer is good, but without a body, and one was wanted.
    case emptyBody
    /// The body is longer than this many bytes.
    case tooLong(limit: Int)
    /// The request cannot be sent: what is wrong with it, and what to write instead.
    case invalid(String)
    /// What is to be sent cannot be read, or what has come cannot be written.
    case file(String)
    /// Nobody reads any more what is written: the end of a pipeline, not trouble.
    case brokenPipe(String)

    init(_ problem: FileProblem) {
        self = problem.isBrokenPipe ? .brokenPipe(problem.description) : .file(problem.description)
    }

    /// Whether another try may end better: the name, the way and the connection, silence, and the HTTP statuses 408, 429,
    /// 444, 503, 504 and 599 may pass. A certificate that is not trusted or a file that is not there stays so.
    public var isRetryable: Bool {
        switch self {
        case .inaccessible(let last): last.isRetryable
        case .network(let trouble): trouble.mayPass
        case .status(let answer): answer.mayPass
        case .cancelled, .notHTTP, .emptyBody, .tooLong, .invalid, .file, .brokenPipe: false
        }
    }
}

extension FetchError: CustomStringConvertible {
    /// The error in words, as part of a sentence, without what may be a secret: `HTTP 503`.
    public var description: String {
        switch self {
        case .inaccessible(let last): last.description
        case .cancelled: "cancelled"
        case .network(let trouble): trouble.description
        case .notHTTP(let detail), .invalid(let detail), .file(let detail), .brokenPipe(let detail): detail
        case .status(let answer): answer.summary
        case .emptyBody: "the answer has no body"
        case .tooLong(let limit): "the body is longer than \(limit) bytes"
        }
    }
}
