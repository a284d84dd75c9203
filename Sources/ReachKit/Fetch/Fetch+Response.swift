import Monitoring

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// A server's response to a request.
    public struct Response: Sendable, Hashable {
        /// How the body ended.
        public enum Ending: Sendable, Hashable {
            /// The server sent all of it.
            case whole
            /// It is longer than ``Fetch/Request/longestBody-property``; the rest was not read.
            case cut
            /// The rest did not come in time.
            case timeout
            /// The connection was lost, for this reason.
            case lost(Failure)
        }

        /// The status code: `200`.
        public let status: Int
        /// The header fields, in the order in which they came.
        public let headers: [Header]
        /// The body that was received, unless it went to a file or a stream.
        public let body: Data
        /// How the body ended.
        public internal(set) var ending: Ending
        /// The delay that the server asks for by `Retry-After`; nil where it does not.
        package let retryAfter: Duration?

        init(
            status: Int,
            headers: [Header] = [],
            body: Data = Data(),
            ending: Ending = .whole,
            retryAfter: Duration? = nil
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.ending = ending
            self.retryAfter = retryAfter
        }

        /// What is wrong with the response; nil when it is good (HTTP 200 to 299) and its body is as it was wanted.
        ///
        /// - Parameters:
        ///   - allowsEmptyBody: whether the body that was kept may be empty.
        ///   - longestBody: the limit that ``Fetch/Error/tooLong(limit:)`` names.
        func error(allowsEmptyBody: Bool, longestBody: Int) -> Error? {
            guard (200...299).contains(status) else { return .status(self) }
            return switch ending {
            case .whole: allowsEmptyBody || !body.isEmpty ? nil : .emptyBody
            case .cut: .tooLong(limit: longestBody)
            case .timeout, .lost: .incomplete(self)
            }
        }

        /// Whether the same request may get another response later.
        var mayPass: Bool {
            switch ending {
            case .whole, .cut: Reason.passingStatuses.contains(status)
            case .timeout: true
            case .lost(let failure): failure.reason.mayPass
            }
        }

        /// The response as part of a sentence: `HTTP 503`.
        var summary: String {
            switch ending {
            case .whole, .cut: "HTTP \(status)"
            case .timeout: "HTTP \(status), but the answer did not end in time"
            case .lost(let failure): "HTTP \(status), but then: \(failure.detail)"
            }
        }
    }
}
