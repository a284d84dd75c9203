/// The address family that a target is asked by. One is asked and named; two are never raced.
public enum Family: String, Sendable, Hashable, CaseIterable {
    /// The system's first choice.
    case any
    /// IPv4 only.
    case v4 = "4"
    /// IPv6 only.
    case v6 = "6"
}
