/// The present maintenance of a target, and its health before, with which hooks compare at the end.
package struct Maintenance: Sendable, Hashable {
    /// The name of the window; nil if it has none.
    package var name: String?
    /// When it began for the target.
    package let since: Duration
    /// When it ends, as far as is known.
    package var until: Duration
    /// The health when it began.
    let healthBefore: Health
}

/// The windows of the settings, and which of them are open.
struct MaintenancePlan: Sendable {
    var windows: [MaintenanceWindow] = []
    /// The ends of the open windows by their index, since 1970.
    var open: [Int: Duration] = [:]
    /// The edition of the roster whose targets were compared with the open windows.
    var edition = 0
    /// When the windows are to be evaluated again.
    var nextCheck: Duration?

    /// The longest time between two evaluations, since the wall clock may be set.
    static let longestPause = Duration.seconds(30)
}
