/// The address families that a target may be asked by, as the settings name them.
enum FamilyChoice: String, CaseIterable {
    /// The system's first choice.
    case any
    /// IPv4 only.
    case v4 = "4"
    /// IPv6 only.
    case v6 = "6"
    /// Each of the two, as a target of its own.
    case both
}
