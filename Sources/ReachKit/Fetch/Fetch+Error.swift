#if Fetch

public import ReachMonitoring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// Why a fetch, or one try of it, failed.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// The retries are used up: the error of the last try, which is transient or was retried by the policy's
        /// retrier, and the number of tries: one if no retry was allowed.
        indirect case retriesExhausted(last: Error, tries: Int)
        /// The fetch was not complete within its time limit. The last error before the limit, of a try or of the host
        /// that was waited for, is nil if there was none.
        indirect case expired(last: Error?)
        /// The server is busy until this date (`Retry-After`), which is later than the policy's
        /// ``Policy/maximumRetryAfter`` or the time limit of the fetch permits to wait. ``response`` is nil.
        case retryAfter(Date)
        /// The task was cancelled, or the client was shut down.
        case cancelled
        /// The server sent nothing for longer than the request's timeout, and no response had begun.
        case timeout
        /// There was no response, because of this failure: of the name lookup, the route, the connection, TLS, or a
        /// redirect that cannot be followed.
        case network(TransportError)
        /// The host is reached by a mobile network, and ``Fetch/allowCellular`` is false. Nothing was sent.
        case cellularNotAllowed
        /// The path to the network is expensive, and ``Fetch/allowExpensive`` is false. Nothing was sent.
        case expensiveNotAllowed
        /// The path to the network is constrained, and ``Fetch/allowConstrained`` is false. Nothing was sent.
        case constrainedNotAllowed
        /// This machine could not send the request: out of descriptors, for example.
        case fault(Fault)
        /// The peer does not speak HTTP.
        case notHTTP(String)
        /// The status is not in 200…299. The response has its header fields and body.
        case status(Response)
        /// The status is good, but the body is incomplete or cannot be decompressed; ``Response/ending`` has the reason.
        case incomplete(Response)
        /// The status is good, but the response has no body, and the caller requires one.
        case emptyBody(Response)
        /// The body is longer than this limit, in bytes: ``Request/maximumBodySize``, or 256 MiB of a decompressed body.
        case tooLong(limit: Int)
        /// The request, or the proxy from the environment, is invalid: the problem and the fix.
        case invalid(String)
        /// A file cannot be read (the request's body) or written (the response's body).
        case file(String)
        /// The body is written to a pipe, and its reader has closed it.
        case brokenPipe(String)

        /// The error of a connection that failed.
        init(_ failure: Failure) {
            // A redirect that cannot be followed has the status of its response.
            let isNotHTTP = failure.reason == .protocolError && failure.httpStatus == nil
            self = isNotHTTP ? .notHTTP(failure.detail) : .network(TransportError(failure))
        }

        /// Whether the error is transient, so that another try may succeed: errors of name lookups, routes and
        /// connections, timeouts, a network that is not allowed, a lack of descriptors or memory, and the HTTP statuses
        /// 408, 429, 444, 500, 502, 503, 504, 522, 524 and 599. An untrusted certificate or a missing file is
        /// not.
        public var isRetryable: Bool {
            switch self {
            case .retriesExhausted(let last, _): last.isRetryable
            case .expired(let last): last?.isRetryable ?? true
            case .retryAfter: true
            case .timeout, .cellularNotAllowed, .expensiveNotAllowed, .constrainedNotAllowed: true
            case .network(let error): error.reason.isTransient
            case .fault(let fault): fault.problem == .tooManyFiles || fault.problem == .noMemory
            case .status(let response), .incomplete(let response): response.isTransient
            case .cancelled, .notHTTP, .emptyBody, .tooLong, .invalid, .file, .brokenPipe: false
            }
        }

        /// The response of a status, an incomplete or an empty body, also as the last error of an exhausted or expired
        /// fetch; nil for any other error. ``retryAfter(_:)`` has the date only.
        public var response: Response? {
            switch self {
            case .status(let response), .incomplete(let response), .emptyBody(let response): response
            case .retriesExhausted(let last, _): last.response
            case .expired(let last): last?.response
            default: nil
            }
        }

        /// The failure of the connection; nil for other errors.
        package var failure: Failure? {
            switch self {
            case .network(let error): error.failure
            case .notHTTP(let detail): Failure(.protocolError, detail: detail)
            default: nil
            }
        }

        /// Whether the server does not continue a body where it was cut off.
        var refusesResumption: Bool {
            switch self {
            case .status(let response): response.status == 416
            case .incomplete(let response): response.ending.refusesResumption
            default: false
            }
        }

        /// The delay before the next try from the server's `Retry-After`; nil without one.
        var delay: Duration? {
            switch self {
            case .status(let response), .incomplete(let response): response.retryAfter
            default: nil
            }
        }
    }
}

extension Fetch.Error: CustomStringConvertible {
    /// The error as part of a sentence, without secrets: `given up after 11 tries: HTTP 503`, `refused`.
    public var description: String {
        switch self {
        case .retriesExhausted(let last, let tries):
            tries > 1 ? "given up after \(tries) tries: \(last)" : last.description
        case .expired(let last): last.map { "time limit exceeded, last error: \($0)" } ?? "time limit exceeded"
        case .retryAfter(let date): "the server is busy until \(date.formatted(.iso8601))"
        case .cancelled: "cancelled"
        case .timeout: "timeout"
        case .cellularNotAllowed: "only a mobile network, which is not allowed"
        case .expensiveNotAllowed: "only an expensive network, which is not allowed"
        case .constrainedNotAllowed: "only a constrained network, which is not allowed"
        case .network(let error): error.description
        case .fault(let fault): fault.summary
        case .status(let response), .incomplete(let response): response.summary
        case .emptyBody: "the response has no body"
        case .tooLong(let limit): "the body is longer than \(limit) bytes"
        case .notHTTP(let detail), .invalid(let detail), .file(let detail), .brokenPipe(let detail): detail
        }
    }
}

extension Fetch {
    /// Why there was no response, or only a part of it: the name lookup, the route, the connection, TLS or a redirect.
    public struct TransportError: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        package let failure: Failure

        package init(_ failure: Failure) {
            self.failure = failure
        }

        package init(_ reason: Reason, detail: String? = nil, httpStatus: Int? = nil) {
            failure = Failure(reason, detail: detail, httpStatus: httpStatus)
        }

        /// The reason: `refused`.
        public var reason: Reason { failure.reason }
        /// The status of a redirect that cannot be followed; nil for other errors.
        public var httpStatus: Int? { failure.httpStatus }
        /// The error as part of a sentence: `the name nowhere.invalid was not found`.
        public var description: String { failure.detail }
        /// Whether the peer, or the network, ended the connection.
        var isOfConnection: Bool { reason == .closed || reason == .reset }
    }
}

extension Fetch.TransportError: Codable {
    private enum CodingKeys: String, CodingKey {
        case reason, detail, httpStatus
    }

    /// Decodes an error.
    ///
    /// - Throws: `DecodingError` when the reason is unknown or missing.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.decode(String.self, forKey: .reason)
        guard let reason = Reason(rawValue: name) else {
            throw DecodingError.dataCorruptedError(forKey: .reason, in: values, debugDescription: "unknown reason")
        }
        self.init(
            reason,
            detail: try values.decodeIfPresent(String.self, forKey: .detail),
            httpStatus: try values.decodeIfPresent(Int.self, forKey: .httpStatus)
        )
    }

    /// Encodes the name of the reason, the description and the status.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(reason.rawValue, forKey: .reason)
        try values.encode(failure.detail, forKey: .detail)
        try values.encodeIfPresent(httpStatus, forKey: .httpStatus)
    }
}

#endif
