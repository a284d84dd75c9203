public import Monitoring

extension Reachability {
    /// Why a subject is not reachable.
    public enum Cause: Sendable, Hashable, Codable {
        /// No probe got a reply in time.
        case timeout
        /// The subject, or a router on the way to it, gave a negative answer.
        case failure(Failure)
        /// This machine could not probe the subject.
        case fault(Fault)
        /// The text is not a valid subject.
        case invalidSubject(URLProblem)

        /// The reason of a ``failure(_:)``; nil for other causes.
        public var reason: Reason? {
            if case .failure(let failure) = self { failure.reason } else { nil }
        }
    }
}

extension Reachability.Cause: CustomStringConvertible {
    /// The cause as part of a sentence, with the fix where one is known: `timeout`, `refused`.
    public var description: String {
        switch self {
        case .timeout: "timeout"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.summary
        case .invalidSubject(let problem): "\(problem)"
        }
    }
}
