/// The address family of a target's probes. The two families are never raced.
public enum Family: String, Sendable, Hashable, CaseIterable {
    /// The system's first choice.
    case any
    /// IPv4 only.
    case v4 = "4"
    /// IPv6 only.
    case v6 = "6"
}

/// The addresses of its name at which a target is probed.
public enum AddressChoice: Sendable, Hashable {
    /// The first address that replies; the others are tried before a probe is lost.
    case any
    /// Each address, in a row of its own. Until the name is resolved, the target has one row.
    case each
    /// This address: a row of a target with ``each``.
    case only(String)
}
