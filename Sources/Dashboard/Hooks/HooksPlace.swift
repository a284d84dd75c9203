import Monitoring

/// What is seen of the hook runs: whose, which of them is selected, and whether its output is open.
struct HooksPlace: Sendable, Hashable {
    /// The targets whose hooks are shown; nil shows all.
    var targets: Set<Target.ID>?
    /// What these targets are called, for the head.
    var name: String?
    /// The selected row; nil is the newest.
    var selection: HookRow.ID?
    /// Where it stood, for when it goes away.
    var index = 0
    /// The first row that is seen.
    var scroll = 0
    /// The first line of the selected run's output that is seen, while that fills the screen.
    var outputScroll: Int?
}
