/// The metric families. Names, labels and units are stable: they are only ever added to.
enum MetricFamily: CaseIterable {
    case up, health, failingSince, targets, blocked, paused, flapping, maintenance, probes, faults, lastProbe,
        lastRoundTrip, roundTrip, phase, transitions, loss, certificate, httpStatus, hookRuns, skippedHooks, targetInfo,
        pathHops, pathEnd, pathChanges, level, lastShift
    // Of the program as a whole.
    case lateProbes, skippedProbes, missedSchedule, settingsValid, settingsTime, processorTime, residentMemory,
        virtualMemory, openDescriptors, maximumDescriptors,
        startTime, buildInfo
    // Of each source of targets.
    case sourceValid, sourceTime, sourceTargets
    // Of the modules, with the names of the blackbox exporter.
    case modulesValid, modulesTime

    /// The families of a detail.
    static func all(in detail: MetricsDetail) -> [Self] {
        guard detail == .basic else { return allCases }
        let target = [
            Self.up, .failingSince, .targets, .blocked, .flapping, .maintenance, .lastRoundTrip, .loss, .certificate,
            .httpStatus, .targetInfo, .pathHops, .pathEnd,
        ]
        return target + allCases.filter(\.isOfProgram)
    }

    /// Whether the family has one sample for the program, and none for targets.
    var isOfProgram: Bool {
        switch self {
        case .lateProbes, .skippedProbes, .missedSchedule, .settingsValid, .settingsTime, .processorTime,
            .residentMemory, .virtualMemory, .openDescriptors, .maximumDescriptors, .startTime, .buildInfo,
            .sourceValid, .sourceTime, .sourceTargets, .modulesValid, .modulesTime:
            true
        case .up, .health, .failingSince, .targets, .blocked, .paused, .flapping, .maintenance, .probes, .faults,
            .lastProbe, .lastRoundTrip, .roundTrip, .phase, .transitions, .loss, .certificate, .httpStatus, .hookRuns,
            .skippedHooks, .targetInfo, .pathHops, .pathEnd, .pathChanges, .level, .lastShift:
            false
        }
    }

    /// Whether the family has one sample for each source of targets, and is left out without sources.
    var isOfSources: Bool {
        switch self {
        case .sourceValid, .sourceTime, .sourceTargets: true
        default: false
        }
    }

    /// Whether the family is left out without modules.
    var isOfModules: Bool { self == .modulesValid || self == .modulesTime }

    /// Whether each target has samples of its own.
    var isOfTargets: Bool { !isOfProgram && self != .targets }

    /// The type of a metric, as both formats name it.
    enum Kind: String {
        case gauge, counter, histogram, summary
    }

    /// The name of the family in OpenMetrics: without the suffix of its samples.
    private var name: String {
        switch self {
        case .up: "reach_up"
        case .health: "reach_health"
        case .failingSince: "reach_failing_since_timestamp_seconds"
        case .targets: "reach_targets"
        case .blocked: "reach_blocked"
        case .paused: "reach_paused"
        case .flapping: "reach_flapping"
        case .maintenance: "reach_maintenance"
        case .probes: "reach_probes"
        case .faults: "reach_faults"
        case .lastProbe: "reach_last_probe_timestamp_seconds"
        case .lastRoundTrip: "reach_last_round_trip_seconds"
        case .roundTrip: "reach_round_trip_seconds"
        case .phase: "reach_probe_phase_seconds"
        case .transitions: "reach_transitions"
        case .loss: "reach_loss_ratio"
        case .certificate: "reach_certificate_not_after_timestamp_seconds"
        case .httpStatus: "reach_http_status_code"
        case .hookRuns: "reach_hook_runs"
        case .skippedHooks: "reach_hooks_skipped"
        case .targetInfo: "reach_target_info"
        case .pathHops: "reach_path_hops"
        case .pathEnd: "reach_path_end_hop"
        case .pathChanges: "reach_path_changes"
        case .level: "reach_level_seconds"
        case .lastShift: "reach_last_shift_timestamp_seconds"
        case .lateProbes: "reach_schedule_late_probes"
        case .skippedProbes: "reach_schedule_skipped_probes"
        case .missedSchedule: "reach_schedule_missed_ratio"
        case .settingsValid: "reach_settings_last_reload_successful"
        case .settingsTime: "reach_settings_last_reload_success_timestamp_seconds"
        case .processorTime: "process_cpu_seconds"
        case .residentMemory: "process_resident_memory_bytes"
        case .virtualMemory: "process_virtual_memory_bytes"
        case .openDescriptors: "process_open_fds"
        case .maximumDescriptors: "process_max_fds"
        case .startTime: "process_start_time_seconds"
        case .buildInfo: "reach_build_info"
        case .sourceValid: "reach_source_last_refresh_successful"
        case .sourceTime: "reach_source_last_refresh_success_timestamp_seconds"
        case .sourceTargets: "reach_source_targets"
        case .modulesValid: "blackbox_exporter_config_last_reload_successful"
        case .modulesTime: "blackbox_exporter_config_last_reload_success_timestamp_seconds"
        }
    }

    private func kind(in detail: MetricsDetail) -> Kind {
        switch self {
        case .probes, .faults, .transitions, .hookRuns, .skippedHooks, .lateProbes, .skippedProbes, .processorTime,
            .pathChanges:
            .counter
        case .roundTrip: detail == .summary ? .summary : .histogram
        // OpenMetrics has state sets and infos for the health and the version, but the older format does not know them.
        case .up, .health, .failingSince, .targets, .blocked, .paused, .flapping, .maintenance, .lastProbe,
            .lastRoundTrip, .phase, .loss, .certificate, .httpStatus, .targetInfo, .pathHops, .pathEnd, .level,
            .lastShift,
            .missedSchedule, .settingsValid, .settingsTime, .residentMemory, .virtualMemory, .openDescriptors,
            .maximumDescriptors, .startTime,
            .buildInfo,
            .sourceValid, .sourceTime, .sourceTargets, .modulesValid, .modulesTime:
            .gauge
        }
    }

    /// The name of the samples; those of a histogram or a summary have further suffixes.
    var sampleName: String {
        kind(in: .histograms) == .counter ? "\(name)_total" : name
    }

    private var help: String {
        switch self {
        case .up: "Whether the target answers: 1 up or degraded, 0 down. Absent while unknown or blocked."
        case .health: "The health of the target: 1 for the present one, 0 for the others."
        case .failingSince: "When the failure of a target began that is down or degraded. Absent for the others."
        case .targets: "The number of targets by group and health. Blocked and paused ones are unknown."
        case .blocked: "Whether the target is not probed because a dependency is down."
        case .paused: "Whether the target is paused by the user."
        case .flapping: "Whether the health of the target changes too often."
        case .maintenance: "Whether there is planned work at the target."
        case .faults: "Probes that could not be sent. They do not count as losses of the target."
        case .lastProbe: "When the newest probe ended in a reply, a timeout or a failure, in seconds since 1970."
        case .probes: "Probes by outcome. A fault is a probe that could not be sent."
        case .lastRoundTrip: "The newest round trip. Absent while the target is down."
        case .roundTrip: "The time from sending a probe to its reply."
        case .phase: "The phases of the newest round trip. Absent while the target is down."
        case .transitions: "Changes of health by the new health."
        case .loss: "The share of lost probes among the last 100 finished ones."
        case .certificate: "When the certificate of the target expires, in seconds since 1970."
        case .httpStatus: "The HTTP status of the newest probe; 0 if it had none, and while the target is down."
        case .hookRuns: "Hook runs by event and result. All attempts of a run count as one."
        case .skippedHooks: "Hooks that did not run when their event occurred, by reason."
        case .targetInfo: "The URL and the tags of the target."
        case .pathHops: "Hops of the path when it last reached the target. Absent before."
        case .pathEnd:
            "The hop at which the path ended in the newest trace; 0 if no hop answers. Absent before the first."
        case .pathChanges: "How often another router answered at a hop of the path."
        case .level: "The usual round trip at present. Absent before 30 replies."
        case .lastShift:
            "When the newest change of the usual round trip or loss began, in seconds since 1970. Absent without one."
        case .lateProbes: "Probes that left late: more than half their interval after they were due."
        case .skippedProbes: "Probes that did not leave before the next one was due."
        case .missedSchedule:
            "The share of late and skipped probes if more than a tenth of ten seconds' are; otherwise 0."
        case .settingsValid: "Whether the settings were valid when they were read last: 1 yes, 0 no."
        case .settingsTime: "When valid settings were read last, in seconds since 1970."
        case .processorTime: "Processor time used, of user and system."
        case .residentMemory: "Resident memory."
        case .virtualMemory: "Virtual memory."
        case .openDescriptors: "Open file descriptors."
        case .maximumDescriptors: "The maximum number of open file descriptors."
        case .startTime: "When the program started, in seconds since 1970."
        case .buildInfo: "The version of reach and the commit that it was built from."
        case .modulesValid: "Blackbox exporter config loaded successfully."
        case .modulesTime: "Timestamp of the last successful configuration reload."
        case .sourceValid: "Whether the list of the source could be read last: 1 yes, 0 no."
        case .sourceTime: "When the list of the source could be read last, in seconds since 1970."
        case .sourceTargets: "Targets in the last good list of the source."
        }
    }

    /// The lines before the samples of the family.
    func header(_ format: MetricsFormat, in detail: MetricsDetail) -> String {
        let kind = kind(in: detail).rawValue
        switch format {
        case .text:
            return "# HELP \(sampleName) \(help)\n# TYPE \(sampleName) \(kind)\n"
        case .openMetrics:
            let unit = ["seconds", "bytes"].first { name.hasSuffix("_\($0)") }.map { "# UNIT \(name) \($0)\n" } ?? ""
            return "# TYPE \(name) \(kind)\n\(unit)# HELP \(name) \(help)\n"
        }
    }
}
