import Monitoring

/// What is seen of the detail view: whose, and from which line on.
struct DetailPlace: Sendable, Hashable {
    let target: Target.ID
    /// The first line below the head that is seen.
    var scroll = 0
}
