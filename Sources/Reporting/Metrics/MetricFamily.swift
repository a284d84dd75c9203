/// The metric families. Names, labels and units are stable: they are only ever added to.
enum MetricFamily: CaseIterable {
    case up, health, blocked, paused, flapping, probes, faults, lastProbe, roundTrip, phase, transitions, loss,
        certificate, httpStatus, hookRuns, buildInfo

    /// The type of a metric, as both formats name it.
    enum Kind: String {
        case gauge, counter, histogram
    }

    /// The name of the family in OpenMetrics: without the suffix of its samples.
    private var name: String {
        switch self {
        case .up: "reach_up"
        case .health: "reach_health"
        case .blocked: "reach_blocked"
        case .paused: "reach_paused"
        case .flapping: "reach_flapping"
        case .probes: "reach_probes"
        case .faults: "reach_faults"
        case .lastProbe: "reach_last_probe_timestamp_seconds"
        case .roundTrip: "reach_round_trip_seconds"
        case .phase: "reach_probe_phase_seconds"
        case .transitions: "reach_transitions"
        case .loss: "reach_loss_ratio"
        case .certificate: "reach_certificate_not_after_timestamp_seconds"
        case .httpStatus: "reach_http_status_code"
        case .hookRuns: "reach_hook_runs"
        case .buildInfo: "reach_build_info"
        }
    }

    private var kind: Kind {
        switch self {
        case .probes, .faults, .transitions, .hookRuns: .counter
        case .roundTrip: .histogram
        // OpenMetrics has state sets and infos for the health and the version, but the older format does not know them.
        case .up, .health, .blocked, .paused, .flapping, .lastProbe, .phase, .loss, .certificate, .httpStatus,
            .buildInfo:
            .gauge
        }
    }

    /// The name of the samples; a histogram's samples have further suffixes.
    var sampleName: String {
        switch kind {
        case .gauge, .histogram: name
        case .counter: "\(name)_total"
        }
    }

    private var help: String {
        switch self {
        case .up: "Whether the target answers: 1 up or degraded, 0 down. Absent while unknown or blocked."
        case .health: "The health of the target: 1 for the present one, 0 for the others."
        case .blocked: "Whether the target is not probed because a dependency is down."
        case .paused: "Whether the target is paused by the user."
        case .flapping: "Whether the health of the target changes too often."
        case .faults: "Probes that could not be sent. They do not count as losses of the target."
        case .lastProbe: "When the newest probe ended in a reply, a timeout or a failure, in seconds since 1970."
        case .probes: "Probes by outcome. A fault is a probe that could not be sent."
        case .roundTrip: "The time from sending a probe to its reply."
        case .phase: "The phases of the newest round trip."
        case .transitions: "Changes of health by the new health."
        case .loss: "The share of lost probes among the last 100 finished ones."
        case .certificate: "When the certificate of the target expires, in seconds since 1970."
        case .httpStatus: "The newest HTTP status of the target."
        case .hookRuns: "Hook runs by event and result. All attempts of a run count as one."
        case .buildInfo: "The version of reach."
        }
    }

    /// The lines before the samples of the family.
    func header(_ format: MetricsFormat) -> String {
        switch format {
        case .text:
            return "# HELP \(sampleName) \(help)\n# TYPE \(sampleName) \(kind.rawValue)\n"
        case .openMetrics:
            let unit = name.hasSuffix("_seconds") ? "# UNIT \(name) seconds\n" : ""
            return "# TYPE \(name) \(kind.rawValue)\n\(unit)# HELP \(name) \(help)\n"
        }
    }
}
