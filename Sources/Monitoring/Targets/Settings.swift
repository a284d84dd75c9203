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
    package var modules: [ProbeModule] = []
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
