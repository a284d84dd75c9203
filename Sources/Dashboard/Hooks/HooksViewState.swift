import Monitoring

/// The state of the list of hook runs: its targets, its selection and its scroll positions.
struct HooksViewState: Sendable, Hashable {
    /// The targets whose hooks are shown; nil shows all.
    var targets: Set<Target.ID>?
    /// The name of these targets, for the heading.
    var name: String?
    /// The selected row; nil is the newest.
    var selection: HookRow.ID?
    /// The index of the selected row, used when that row disappears.
    var index = 0
    /// The first visible row.
    var scroll = 0
    /// The first visible line of the selected run's output; nil unless the output fills the screen.
    var outputScroll: Int?
}
