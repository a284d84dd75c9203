extension Reachability {
    /// The reachability of a subject.
    public enum Status: Sendable, Hashable, Codable {
        /// There is no verdict yet: the subject was not probed, or there are neither replies nor enough losses.
        case unknown
        /// The subject does not answer, or cannot be probed.
        case unreachable(Cause)
        /// The subject answers, and packets to it leave by this link.
        case reachable(via: Link)

        /// Whether the subject answers.
        public var isReachable: Bool {
            if case .reachable = self { true } else { false }
        }
    }
}

extension Reachability.Status: CustomStringConvertible {
    /// The status as text: `reachable by wifi`, `unreachable: refused`.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .unreachable(let cause): "unreachable: \(cause)"
        case .reachable(.other): "reachable"
        case .reachable(via: let link): "reachable by \(link.rawValue)"
        }
    }
}
