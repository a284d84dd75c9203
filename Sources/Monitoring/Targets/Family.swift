/// The address family that a target is asked by. One is asked and named; two are never raced.
public enum Family: String, Sendable, Hashable, CaseIterable {
    /// The system's first choice.
    case any
    /// IPv4 only.
    case v4 = "4"
    /// IPv6 only.
    case v6 = "6"
}

/// Which of the addresses of its name a target is probed at.
public enum AddressChoice: Sendable, Hashable {
    /// The one that answers; the others are tried before a probe is lost.
    case any
    /// Each, in a row of its own. Until the name is resolved, the target is one row.
    case each
    /// This one: a row of a target with ``each``.
    case only(String)
}
