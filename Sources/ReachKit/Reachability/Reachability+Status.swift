extension Reachability {
    /// What is believed of a subject.
    public enum Status: Sendable, Hashable {
        /// There is no verdict yet: it was not asked, or has not answered and not failed to often enough.
        case unknown
        /// It does not answer, or cannot be asked.
        case unreachable(Cause)
        /// It answers, and what goes there leaves by this link.
        case reachable(via: Link)

        /// Whether it answers.
        public var isReachable: Bool {
            if case .reachable = self { true } else { false }
        }
    }
}

extension Reachability.Status: CustomStringConvertible {
    /// The status in words: `reachable by wifi`, `unreachable: connection refused`.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .unreachable(let cause): "unreachable: \(cause)"
        case .reachable(.other): "reachable"
        case .reachable(via: let link): "reachable by \(link.rawValue)"
        }
    }
}
