import ReachMonitoring

/// The samples of one family, a line each: name, labels and value.
struct Samples {
    let family: MetricFamily
    let detail: MetricsDetail
    private let name: String
    var text = ""

    init(of family: MetricFamily, in detail: MetricsDetail) {
        self.family = family
        self.detail = detail
        name = family.sampleName
    }

    /// Adds a sample with escaped labels.
    mutating func add(
        _ value: some LosslessStringConvertible,
        _ labels: String,
        _ more: String = "",
        suffix: String = ""
    ) {
        text += name
        text += suffix
        if !labels.isEmpty {
            text += "{"
            text += labels
            text += more
            text += "}"
        }
        text += " "
        text += String(value)
        text += "\n"
    }

    /// Adds 1 while a target is in a state, otherwise 0; with few series for each target, nothing.
    private mutating func addState(_ isTrue: Bool, _ labels: String) {
        if isTrue || detail != .basic { add(isTrue ? 1 : 0, labels) }
    }

    /// Adds the samples of a target. An unknown gauge has no sample; everything else exists from the start.
    mutating func add(_ row: Exposition.Row) {
        let (tally, labels) = (row.tally, row.tally.labels)
        switch family {
        case .up:
            if row.health != .unknown, !row.isBlocked { add(row.health.isReachable ? 1 : 0, labels) }
        case .health:
            for health in Health.allCases {
                add(health == row.health ? 1 : 0, labels, #",health="\#(health.rawValue)""#)
            }
        case .failingSince:
            addFailure(of: row)
        case .blocked:
            addState(row.isBlocked, labels)
        case .paused:
            add(row.isPaused ? 1 : 0, labels)
        case .flapping:
            // Alerts wait for the end of planned work anyway.
            addState(row.isFlapping && !(detail == .basic && row.isInMaintenance), labels)
        case .maintenance:
            addState(row.isInMaintenance, labels)
        case .faults:
            add(tally.faults, labels)
        case .lastProbe:
            if let time = row.lastProbe { add(time.millisecondPrecision, labels) }
        case .probes:
            add(tally.replies, labels, #",outcome="reply""#)
            add(tally.timeouts, labels, #",outcome="timeout""#)
            add(tally.failures, labels, #",outcome="failure""#)
            add(tally.faults, labels, #",outcome="fault""#)
        case .lastRoundTrip:
            if let roundTrip = row.lastRoundTrip { add(roundTrip.inSeconds, labels) }
        case .roundTrip:
            guard row.hasRoundTrips else { break }
            if detail == .summary {
                addSummary(of: row)
            } else {
                addHistogram(tally.roundTrips, labels)
            }
        case .phase:
            for time in row.phases {
                add(time.duration.inSeconds, labels, #",phase="\#(time.phase.rawValue)""#)
            }
        case .transitions:
            for health in Health.allCases where health != .unknown {
                add(tally.transitions[health] ?? 0, labels, #",to="\#(health.rawValue)""#)
            }
        case .loss:
            if let loss = tally.loss { add(loss, labels) }
        case .certificate:
            if let expiry = row.certificateExpiry { add(expiry, labels) }
        case .httpStatus:
            if let status = row.httpStatus { add(status, labels) }
        case .hookRuns:
            for event in row.hookEvents {
                for status in Tally.HookSeries.Status.allCases {
                    let count = tally.hookRuns[Tally.HookSeries(event: event, status: status)] ?? 0
                    add(count, labels, #",event="\#(event.rawValue)",status="\#(status.rawValue)""#)
                }
            }
        case .skippedHooks:
            guard !row.hookEvents.isEmpty else { break }
            for reason in HookDropReason.allCases {
                add(tally.skippedHooks[reason] ?? 0, labels, #",reason="\#(reason.rawValue)""#)
            }
        case .targetInfo:
            add(1, labels, ",\(tally.information)")
        case .pathHops:
            if let hops = row.pathHops { add(hops, labels) }
        case .pathEnd:
            if let hop = row.pathEnd { add(hop, labels) }
        case .pathChanges:
            if let changes = row.pathChanges { add(changes, labels) }
        case .level:
            if let level = row.level { add(level.inSeconds, labels) }
        case .lastShift:
            if let time = row.lastShift { add(time.millisecondPrecision, labels) }
        case .targets, .lateProbes, .skippedProbes, .missedSchedule, .settingsValid, .settingsTime, .processorTime,
            .residentMemory, .virtualMemory, .openDescriptors, .maximumDescriptors, .startTime, .buildInfo,
            .sourceValid, .sourceTime, .sourceTargets, .modulesValid, .modulesTime:
            break
        }
    }

    /// Adds the sample of the program, if the family has one and the system reports it.
    mutating func add(_ program: ProgramFigures) {
        switch family {
        case .lateProbes: add(program.schedule.late, "")
        case .skippedProbes: add(program.schedule.skipped, "")
        case .missedSchedule: add((program.schedule.missedShare ?? 0).thousandths, "")
        case .settingsValid, .modulesValid: add(program.areSettingsValid ? 1 : 0, "")
        case .settingsTime, .modulesTime: add(program.settingsTime.millisecondPrecision, "")
        case .processorTime: if let time = program.processorTime { add(time.inSeconds, "") }
        case .residentMemory: if let bytes = program.residentMemory { add(bytes, "") }
        case .virtualMemory: if let bytes = program.virtualMemory { add(bytes, "") }
        case .openDescriptors: if let count = program.openDescriptors { add(count, "") }
        case .maximumDescriptors: if let count = program.maximumDescriptors { add(count, "") }
        case .startTime: add(program.startTime.millisecondPrecision, "")
        case .buildInfo:
            let revision = program.revision.map { #",revision="\#($0.labelValue)""# } ?? ""
            add(1, #"version="\#(program.version.labelValue)""#, revision)
        case .sourceValid, .sourceTime, .sourceTargets:
            for source in program.sources { add(source) }
        case .up, .health, .failingSince, .targets, .blocked, .paused, .flapping, .maintenance, .probes, .faults,
            .lastProbe, .lastRoundTrip, .roundTrip, .phase, .transitions, .loss, .certificate, .httpStatus, .hookRuns,
            .skippedHooks, .targetInfo, .pathHops, .pathEnd, .pathChanges, .level, .lastShift:
            break
        }
    }

    private mutating func add(_ source: SourceFigures) {
        let labels = #"source="\#(source.name.labelValue)",type="\#(source.type)""#
        switch family {
        case .sourceValid: add(source.isSuccessful ? 1 : 0, labels)
        case .sourceTime: if let time = source.lastSuccess { add(time.millisecondPrecision, labels) }
        default: add(source.targets, labels)
        }
    }

    private mutating func addSummary(of row: Exposition.Row) {
        let labels = row.tally.labels
        for (quantile, value) in row.quantiles { add(value.inSeconds, labels, #",quantile="\#(quantile)""#) }
        add(row.tally.roundTrips.sum.inSeconds, labels, suffix: "_sum")
        add(row.tally.roundTrips.count, labels, suffix: "_count")
    }

    private mutating func addHistogram(_ roundTrips: RoundTripBuckets, _ labels: String) {
        var total = 0
        for (count, bound) in zip(roundTrips.counts, roundTrips.bounds.labels) {
            total += count
            add(total, labels, #",le="\#(bound)""#, suffix: "_bucket")
        }
        add(roundTrips.sum.inSeconds, labels, suffix: "_sum")
        add(total, labels, suffix: "_count")
    }
}

extension Samples {
    /// Adds the number of targets of each group by health. Targets that are not judged now count as unknown.
    mutating func addGroups(of rows: [Exposition.Row]) {
        var counts: [String: [Health: Int]] = [:]
        for row in rows {
            counts[row.tally.group, default: [:]][row.isBlocked || row.isPaused ? .unknown : row.health, default: 0] +=
                1
        }
        for (group, healths) in counts.sorted(by: { $0.key < $1.key }) {
            for health in Health.allCases {
                add(healths[health] ?? 0, "group=\"\(group)\"", #",health="\#(health.rawValue)""#)
            }
        }
    }

    /// Adds since when a target fails, if it does. Few targets fail, so that a query about them reads few series.
    mutating func addFailure(of row: Exposition.Row) {
        guard let since = row.failingSince else { return }
        add(
            since.millisecondPrecision,
            row.tally.labels,
            #",health="\#(row.health.rawValue)",reason="\#(row.failureReason ?? "")""#
        )
    }
}

extension Target {
    /// The escaped labels of the target's series, the same in both formats.
    func metricLabels(_ redaction: Redaction) -> String {
        let (label, group) = (redaction.label(of: self), redaction.group(of: self) ?? "")
        return
            "target=\"\(label.labelValue)\",group=\"\(group.labelValue)\",method=\"\(question.method.rawValue)\""
    }

    /// The escaped labels of the target's information besides ``metricLabels(_:)``. Commas enclose each tag, so that the
    /// pattern `.*,prod,.*` selects one.
    func informationLabels(_ redaction: Redaction) -> String {
        let url = "url=\"\(redaction.url(of: self).labelValue)\""
        return tags.isEmpty ? url : url + ",tags=\",\(tags.joined(separator: ",").labelValue),\""
    }
}

extension String {
    /// The text escaped as a label value: both formats escape only quotes, line feeds and backslashes.
    var labelValue: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") })
        else { return self }
        // By scalars, since CR LF is one character.
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += #"\\"#
            case "\"": text += #"\""#
            case "\n": text += #"\n"#
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
