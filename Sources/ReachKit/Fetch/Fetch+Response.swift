#if Fetch

public import HTTPTypes
import ReachBasics
import ReachMonitoring

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// A server's response to a request.
    public struct Response: Sendable, Hashable, Codable {
        /// How the body ended.
        public enum BodyEnding: Sendable, Hashable {
            /// The server sent all of it.
            case whole
            /// The body is longer than ``Fetch/Request/maximumBodySize``; the rest was not read.
            case truncated
            /// The rest was not received before the timeout.
            case timeout
            /// The connection was lost, or the body cannot be used, for this reason.
            case lost(TransportError)
        }

        /// The status code: `200`. That of a body that was cut off and continued is 206, and ``headers`` are those of the
        /// last part.
        public let status: Int
        /// The header fields, in the order in which they were received.
        public let headers: HTTPFields
        /// The body that was received, unless it went to a file or a stream.
        public let body: Data
        /// How the body ended.
        public internal(set) var ending: BodyEnding
        /// The delay from the field `Retry-After`; nil without one.
        package let retryAfter: Duration?
        /// How much of an incomplete body was received; nil for a whole one, or if it is not known.
        var progress: BodyProgress?

        init(
            status: Int,
            headers: HTTPFields = [:],
            body: Data = Data(),
            ending: BodyEnding = .whole,
            retryAfter: Duration? = nil
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.ending = ending
            self.retryAfter = retryAfter
        }

        /// The error of the response; nil when the status is good (HTTP 200 to 299) and the body is as required.
        ///
        /// - Parameters:
        ///   - requiresBody: whether the body that was kept must not be empty.
        ///   - maximumBodySize: the limit that ``Fetch/Error/tooLong(limit:)`` names.
        func error(requiresBody: Bool, maximumBodySize: Int) -> Error? {
            guard (200...299).contains(status) else { return .status(self) }
            return switch ending {
            case .whole: requiresBody && body.isEmpty && mayHaveBody ? .emptyBody(self) : nil
            case .truncated: .tooLong(limit: maximumBodySize)
            case .timeout, .lost: .incomplete(self)
            }
        }

        /// Whether the status permits a body (RFC 9110 §6.4.1). The response to a HEAD has none either.
        private var mayHaveBody: Bool { ![204, 205, 304].contains(status) }

        /// Whether the same request may get another response later.
        var isTransient: Bool {
            switch ending {
            case .whole, .truncated: Reason.transientStatuses.contains(status)
            case .timeout: true
            case .lost(let error): error.reason.isTransient || Reason.transientStatuses.contains(status)
            }
        }

        /// The response as part of a sentence: `HTTP 503`, `connection lost after 2.0 of 5.0 MB`.
        var summary: String {
            switch ending {
            case .whole, .truncated: "HTTP \(status)"
            case .timeout: "HTTP \(status), but then: timeout"
            case .lost(let error) where error.isOfConnection:
                ((200...299).contains(status) ? "" : "HTTP \(status), but then: ")
                    + (progress?.lossText ?? "connection lost")
            case .lost(let error): "HTTP \(status), but then: \(error)"
            }
        }
    }
}

extension Duration {
    /// The delay of a `Retry-After` field (RFC 9110 §10.2.3): a number of seconds, or a date.
    ///
    /// - Parameters:
    ///   - retryAfter: the field's value.
    ///   - date: the value of the response's `Date` field, the server's own clock.
    ///   - now: the local time in seconds since 1970, for a response without a date.
    /// - Returns: Nil for a malformed value; zero for a date that has passed.
    init?(retryAfter: String, date: String?, now: Int64) {
        if !retryAfter.isEmpty, retryAfter.utf8.allSatisfy(\.isASCIIDigit) {
            // More than twelve digits are more than a century in any case.
            self = .seconds(Int64(retryAfter.prefix(12)) ?? 0)
        } else if let end = HTTPDate(retryAfter, now: now) {
            let start = date.flatMap { HTTPDate($0, now: now)?.seconds } ?? now
            self = .seconds(max(0, end.seconds - start))
        } else {
            return nil
        }
    }
}

extension Fetch.Response.BodyEnding: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case whole, truncated, timeout, lost
    }

    /// Decodes an ending.
    ///
    /// - Throws: `DecodingError`, for example for an unknown case.
    public init(from decoder: any Decoder) throws {
        let (values, key) = try decoder.caseContainer(keyedBy: CodingKeys.self)
        self =
            switch key {
            case .whole: .whole
            case .truncated: .truncated
            case .timeout: .timeout
            case .lost: .lost(try values.decode(Fetch.TransportError.self, forKey: key))
            }
    }

    /// Encodes the ending as an object with one key, the name of the case.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .whole: try values.encode(NoValue(), forKey: .whole)
        case .truncated: try values.encode(NoValue(), forKey: .truncated)
        case .timeout: try values.encode(NoValue(), forKey: .timeout)
        case .lost(let error): try values.encode(error, forKey: .lost)
        }
    }
}

#endif
