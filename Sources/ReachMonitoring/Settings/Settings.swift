/// The validated settings: the targets and the options of the program.
public struct Settings: Sendable, Hashable {
    /// The targets in the order of the settings file; their names are unique.
    public var targets: [Target]
    /// The most hooks that may run at the same time, over all targets.
    public var maxHooks: Int
    /// The time span for which the observations of each target are kept in memory.
    public var history: Duration
    /// What the history file keeps.
    package var stored = HistorySettings()
    /// The modules of `GET /probe`, in the order of their names.
    package var modules: [BlackboxModule] = []
    /// A line for each module of a file of the blackbox exporter that reach does not support.
    package var moduleWarnings: [String] = []
    /// The times of planned work, during which hooks and alerts wait.
    package var maintenance: [MaintenanceWindow] = []
    /// The colours of the screen.
    public var theme: ThemeChoice
    /// How often the screen is painted.
    public var refresh: Refresh
    /// The columns of the table, from left to right.
    public var columns: [TableColumn]
    /// The user's own themes by name.
    public var userThemes: [String: UserTheme] = [:]
    /// How outages are reported beyond the screen.
    public var alerts = AlertSettings()
    /// The servers that the fleet is read from.
    package var prometheus: [PrometheusSettings] = []
    /// The Alertmanager that gets silences; nil if there is none.
    package var alertmanager: AlertmanagerSettings?
    /// The settings of all paths.
    package var paths = PathsSettings()
    /// Which answers show that the own side works.
    package var sides = SidesSettings()
    /// The upper bounds of the histogram of round trips in the metrics, ascending.
    public var buckets = standardBuckets
    /// The names of the targets that are not enabled.
    public var disabledTargets: [String] = []
    /// The values that are hidden in output for others.
    public var redaction = Redaction()
    /// The sources of further targets.
    package var sources: [DiscoverySource] = []
    /// The targets of the settings file, without those of ``sources``; empty if there are no sources.
    package var ownTargets: [Target] = []

    /// Whether targets or servers have hooks.
    package var hasHooks: Bool {
        targets.contains { !$0.hooks.isEmpty } || prometheus.contains { !$0.hooks.isEmpty || !$0.groupHooks.isEmpty }
    }

    /// From 50 µs to 10 s, two or three for each factor of ten.
    public static let standardBuckets: [Duration] = [
        .microseconds(50), .microseconds(100), .microseconds(250), .microseconds(500),
        .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10), .milliseconds(25),
        .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500),
        .seconds(1), .milliseconds(2_500), .seconds(5), .seconds(10),
    ]

    /// Creates settings with the program's defaults.
    public init(
        targets: [Target],
        maxHooks: Int = 4,
        history: Duration = .seconds(3_600),
        theme: ThemeChoice = .auto,
        refresh: Refresh = .live,
        columns: [TableColumn] = TableColumn.standard
    ) {
        self.targets = targets
        self.maxHooks = maxHooks
        self.history = history
        self.theme = theme
        self.refresh = refresh
        self.columns = columns
    }
}

/// How often the screen is painted.
public enum Refresh: String, Sendable, Hashable, CaseIterable {
    /// Each reply at once, at most ten times a second; clock and ages each second.
    case live
    /// Replies, clock and ages every two seconds, for batteries and slow connections. A change of health is painted at
    /// once.
    case eco
}

/// How the dashboard reports outages beyond its screen.
public struct AlertSettings: Sendable, Hashable {
    /// Whether the terminal's bell rings when targets go down.
    public var bell: Bool
    /// Whether the window's title counts the targets that are down.
    public var title: Bool
    /// Whether the terminal shows a desktop notification when targets go down, and when they are up again.
    public var notify: Bool

    /// Alerts with the program's defaults: the title only.
    public init(bell: Bool = false, title: Bool = true, notify: Bool = false) {
        self.bell = bell
        self.title = title
        self.notify = notify
    }
}

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

/// A column of the dashboard's table. The raw value is its name in the settings.
public enum TableColumn: String, Sendable, Hashable, CaseIterable {
    case name, group, url, address
    /// The health and its cause.
    case health
    /// The last round trip.
    case last
    case min, mean, p95, max
    case loss, jitter
    /// The number of finished probes.
    case sent
    /// The availability since the start.
    case availability
    /// The availability over a time until now, from the history.
    case last24Hours = "24h"
    case last7Days = "7d"
    case last30Days = "30d"
    case last90Days = "90d"
    /// The round trips of the last minute or two.
    case chart
    /// The age of the health.
    case since = "for"

    /// The columns of settings that choose none.
    public static let standard: [TableColumn] = [.name, .url, .health, .last, .p95, .loss, .jitter, .chart, .since]

    /// The columns of the availability from the history.
    package static let availabilityColumns: [TableColumn] = [.last24Hours, .last7Days, .last30Days, .last90Days]

    /// The time until now whose availability the column shows; nil for other columns.
    package var period: Duration? {
        switch self {
        case .last24Hours: .seconds(86_400)
        case .last7Days: .seconds(7 * 86_400)
        case .last30Days: .seconds(30 * 86_400)
        case .last90Days: .seconds(90 * 86_400)
        default: nil
        }
    }

    /// Whether the column is always shown.
    public var isRequired: Bool { self == .name || self == .health }
}

/// A change of the settings file by the user: one target is added, changed or removed, or the columns are chosen.
///
/// Targets are identified by their names, so that an edit can be made again in a file that has changed meanwhile.
public enum SettingsEdit: Sendable, Hashable {
    /// Add a target with these values below another one, in its group; without one, below the last target.
    case add([TargetKey: String], below: String?)
    /// Change these values of a target; an empty value removes the key.
    case change(String, [TargetKey: String])
    /// Remove a target.
    case remove(String)
    /// Show these columns in the table.
    case columns([TableColumn])
}

/// The keys of a target that can be edited on the screen.
public enum TargetKey: String, Sendable, Hashable, CaseIterable {
    case name
    case url
    case interval
    case whenReachable = "when_reachable"
}

/// The values of a target as they are written in the settings file: variables such as `${NAME}` are not substituted.
public struct TargetFields: Sendable, Hashable {
    /// The values; keys that the target does not have are absent.
    public var values: [TargetKey: String]
    /// The keys whose values are not one line of text, such as a list. They can be changed only in the file.
    public var locked: Set<TargetKey>

    /// Creates fields.
    public init(values: [TargetKey: String], locked: Set<TargetKey> = []) {
        self.values = values
        self.locked = locked
    }
}
