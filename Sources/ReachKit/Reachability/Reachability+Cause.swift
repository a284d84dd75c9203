public import Monitoring

extension Reachability {
    /// Why a subject is not reachable.
    public enum Cause: Sendable, Hashable {
        /// Nothing came back.
        case noAnswer
        /// It, or something on the way to it, said no.
        case failure(Failure)
        /// It could not be asked, for a reason of this machine.
        case fault(Fault)
        /// The text that names it names nothing.
        case misspelt(URLProblem)

        /// The reason's stable name, where somebody gave one.
        public var reason: Reason? {
            if case .failure(let failure) = self { failure.reason } else { nil }
        }
    }
}

extension Reachability.Cause: CustomStringConvertible {
    /// The cause in words, and what mends it where that is known.
    public var description: String {
        switch self {
        case .noAnswer: "no answer"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.summary
        case .misspelt(let problem): "\(problem)"
        }
    }
}
