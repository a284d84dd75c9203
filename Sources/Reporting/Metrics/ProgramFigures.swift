public import Monitoring

/// Figures of the program itself: its settings, and its process by the names of Prometheus's client libraries
/// (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics).
public struct ProgramFigures: Sendable, Hashable {
    /// The version of the program.
    public var version: String
    /// The commit that the program was built from, if it is known.
    public var revision: String?
    /// Whether the settings were valid when they were read last; the old ones stay in use otherwise.
    public var areSettingsValid = true
    /// How the probers keep the schedule.
    public var schedule = ScheduleState()
    /// When valid settings were read last, as the time since 1970.
    public var settingsTime: Duration
    /// When the program started, as the time since 1970.
    public var startTime: Duration
    /// The sources of targets; empty without any.
    public var sources: [SourceFigures] = []
    /// Whether there are modules for probes on request.
    public var hasModules = false
    /// The processor time used so far, of user and system.
    public var processorTime: Duration?
    /// The resident memory in bytes.
    public var residentMemory: Int?
    /// The virtual memory in bytes.
    public var virtualMemory: Int?
    /// The number of open file descriptors.
    public var openDescriptors: Int?
    /// The maximum number of open file descriptors.
    public var maximumDescriptors: Int?

    /// Figures of a program that has just started with valid settings. What the system does not report stays nil.
    public init(version: String, startTime: Duration) {
        self.version = version
        self.startTime = startTime
        settingsTime = startTime
    }
}
