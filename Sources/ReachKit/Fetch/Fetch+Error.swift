public import Monitoring

extension Fetch {
    /// Why a fetch, or one try of it, failed.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// The retries are used up, and the error of the last try is one that may pass.
        indirect case inaccessible(last: Error)
        /// The task was cancelled.
        case cancelled
        /// The server was silent for longer than the request's timeout, and no response had begun.
        case timeout
        /// There was no response, for this reason: the name lookup, the way, the connection, TLS, or a redirect that cannot
        /// be followed.
        case network(Failure)
        /// This machine could not send the request: out of descriptors, for example.
        case fault(Fault)
        /// The peer does not speak HTTP.
        case notHTTP(String)
        /// The status is not one of 200…299. The response has its header fields and its body.
        case status(Response)
        /// The status is good, but the body broke off; ``Response/ending`` has the reason.
        case incomplete(Response)
        /// The response is good, but without the body that was wanted.
        case emptyBody
        /// The body is longer than this many bytes.
        case tooLong(limit: Int)
        /// The request, or the proxy of the environment, cannot be used: the problem and the fix.
        case invalid(String)
        /// A file that is to be sent cannot be read, or one that is to be saved cannot be written.
        case file(String)
        /// The reader of the pipe that is written to has closed it.
        case brokenPipe(String)

        /// The error of a connection that failed.
        init(_ failure: Failure) {
            // A redirect that cannot be followed has the status of its response.
            let isNotHTTP = failure.reason == .protocolError && failure.httpStatus == nil
            self = isNotHTTP ? .notHTTP(failure.detail) : .network(failure)
        }

        /// Whether another try may end better: name lookups, the way, connections, silence, and the HTTP statuses 408, 429,
        /// 444, 503, 504 and 599 may. A certificate that is not trusted or a missing file may not.
        public var isRetryable: Bool {
            switch self {
            case .inaccessible(let last): last.isRetryable
            case .timeout: true
            case .network(let failure): failure.reason.mayPass
            case .fault(let fault): fault.problem == .tooManyFiles || fault.problem == .noMemory
            case .status(let response), .incomplete(let response): response.mayPass
            case .cancelled, .notHTTP, .emptyBody, .tooLong, .invalid, .file, .brokenPipe: false
            }
        }

        /// The failure of the connection; nil for other errors.
        package var failure: Failure? {
            switch self {
            case .network(let failure): failure
            case .notHTTP(let detail): Failure(.protocolError, detail: detail)
            default: nil
            }
        }

        /// The delay that the server asks for before the next try.
        var retryAfter: Duration? {
            switch self {
            case .status(let response), .incomplete(let response): response.retryAfter
            default: nil
            }
        }
    }
}

extension Fetch.Error: CustomStringConvertible {
    /// The error as part of a sentence, without secrets: `HTTP 503`, `connection refused`.
    public var description: String {
        switch self {
        case .inaccessible(let last): last.description
        case .cancelled: "cancelled"
        case .timeout: "no answer in time"
        case .network(let failure): failure.detail
        case .fault(let fault): fault.summary
        case .status(let response), .incomplete(let response): response.summary
        case .emptyBody: "the answer has no body"
        case .tooLong(let limit): "the body is longer than \(limit) bytes"
        case .notHTTP(let detail), .invalid(let detail), .file(let detail), .brokenPipe(let detail): detail
        }
    }
}
