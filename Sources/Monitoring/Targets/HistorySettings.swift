/// What the history file keeps, and for how long.
package struct HistorySettings: Sendable, Hashable {
    /// Whether there is a history file.
    package var isOn = true
    /// How long events are kept: changes of health, pauses, hooks.
    package var events = Duration.seconds(730 * 86_400)
    /// How long the figures of each minute are kept.
    package var minutes = Duration.seconds(30 * 86_400)
    /// How long the figures of each hour are kept.
    package var hours = Duration.seconds(730 * 86_400)

    /// The settings without the file's keys.
    package init() {}
}
