import ReachMonitoring

/// A report as a JSON object. Times are in UTC, durations in seconds. The keys are stable: they are only ever added to.
struct ReportRecord: Encodable {
    /// Absent unless one was given.
    let title: String?
    let since: String
    let until: String
    let countUnknownAs: String?
    let summary: [String]
    let targets: [TargetPart]
    let worstOutages: [OutagePart]
    /// Absent without common causes.
    let commonCauses: [CausePart]?
    /// Absent without shifts.
    let shifts: [ShiftPart]?
    let accounting: [String]

    enum CodingKeys: String, CodingKey {
        case title, since, until, summary, targets, accounting, shifts
        case countUnknownAs = "count_unknown_as"
        case worstOutages = "worst_outages"
        case commonCauses = "common_causes"
    }

    /// One target.
    struct TargetPart: Encodable {
        let target: String
        let url: String
        let group: String?
        let availability: Double?
        let coverage: Double
        let upSeconds: Double
        let downSeconds: Double
        let outages: Int
        let longestSeconds: Double?
        let mttrSeconds: Double?
        let mtbfSeconds: Double?
        let sent: Int?
        let lost: Int?
        let p50Seconds: Double?
        let p95Seconds: Double?
        let p99Seconds: Double?
        let maintenanceSeconds: Double
        let degradedSeconds: Double
        let sla: Double
        let causes: [OutageCausePart]

        enum CodingKeys: String, CodingKey {
            case target, url, group, availability, coverage, outages, sent, lost, sla, causes
            case upSeconds = "up_seconds"
            case downSeconds = "down_seconds"
            case longestSeconds = "longest_seconds"
            case mttrSeconds = "mttr_seconds"
            case mtbfSeconds = "mtbf_seconds"
            case p50Seconds = "p50_seconds"
            case p95Seconds = "p95_seconds"
            case p99Seconds = "p99_seconds"
            case maintenanceSeconds = "maintenance_seconds"
            case degradedSeconds = "degraded_seconds"
        }

        init(_ row: HistoryReport.Row) {
            let account = row.availability
            (target, url, group) = (row.name, row.url, row.group)
            (availability, coverage) = (account.availability?.millionths, account.coverage.millionths)
            (upSeconds, downSeconds) = (account.up.millisecondPrecision, account.down.millisecondPrecision)
            outages = account.outages.count
            longestSeconds = account.longest?.length.millisecondPrecision
            mttrSeconds = account.meanTimeToRecover?.millisecondPrecision
            mtbfSeconds = account.meanTimeBetweenFailures?.millisecondPrecision
            (sent, lost) = (row.figures?.sent, row.figures?.lost)
            p50Seconds = row.figures?.roundTrips?.p50.roundTrip.microsecondPrecision
            p95Seconds = row.figures?.roundTrips?.p95.roundTrip.microsecondPrecision
            p99Seconds = row.figures?.roundTrips?.p99.roundTrip.microsecondPrecision
            maintenanceSeconds = account.maintenance.millisecondPrecision
            degradedSeconds = account.degraded.millisecondPrecision
            sla = row.sla.share.millionths
            causes = account.causes.map { OutageCausePart(cause: $0.cause, outages: $0.count) }
        }
    }

    /// A cause of outages of one target.
    struct OutageCausePart: Encodable {
        let cause: String
        let outages: Int
    }

    /// One outage.
    struct OutagePart: Encodable {
        let target: String
        let since: String
        let until: String?
        let seconds: Double
        let detail: String?
        let commonCause: String?

        enum CodingKeys: String, CodingKey {
            case target, since, until, seconds, detail
            case commonCause = "common_cause"
        }
    }

    /// One common cause.
    struct CausePart: Encodable {
        let place: String
        let outages: Int
        let targets: Int
        let downSeconds: Double

        enum CodingKeys: String, CodingKey {
            case place, outages, targets
            case downSeconds = "down_seconds"
        }
    }

    /// The lasting changes of a target's usual latency or loss.
    struct ShiftPart: Encodable {
        let target: String
        /// `latency` or `loss`.
        let of: String
        let shifts: Int
        let longestSeconds: Double?
        /// The newest one: when it began, what it is by the names of the events, and in words.
        let since: String?
        let change: String?
        let detail: String?

        enum CodingKeys: String, CodingKey {
            case target, of, shifts, since, change, detail
            case longestSeconds = "longest_seconds"
        }

        init(_ name: String, _ total: ShiftTotal) {
            (target, of, shifts) = (name, total.kind, total.count)
            longestSeconds = total.longest?.millisecondPrecision
            since = total.last.map { WallTime(start: .zero).timestamp(at: $0.began) }
            (change, detail) = (total.last?.change.rawValue, total.last?.words)
        }
    }

    init(_ report: HistoryReport) {
        let utc = WallTime(start: .zero)
        (since, until) = (utc.timestamp(at: report.start), utc.timestamp(at: report.end))
        countUnknownAs = report.countsUnknownAsDown ? "down" : nil
        (title, summary) = (report.title, report.summary)
        targets = report.shown.map(TargetPart.init)
        worstOutages = report.worstOutages().map { name, outage in
            OutagePart(
                target: name,
                since: utc.timestamp(at: outage.start),
                until: outage.end.map { utc.timestamp(at: $0) },
                seconds: outage.length.millisecondPrecision,
                detail: outage.cause,
                commonCause: outage.commonCause
            )
        }
        let causes = report.commonCauses.map { cause in
            CausePart(
                place: cause.place,
                outages: cause.outages,
                targets: cause.targets,
                downSeconds: cause.down.millisecondPrecision
            )
        }
        commonCauses = causes.isEmpty ? nil : causes
        shifts = report.shifts.map { ShiftPart($0.name, $0.total) }.nonEmpty
        accounting = report.accounting
    }
}

extension Double {
    /// The number rounded to six decimals.
    fileprivate var millionths: Double { (self * 1_000_000).rounded() / 1_000_000 }
}

extension HistoryReport {
    /// A line for each target (RFC 4180, with line feeds), the header first.
    var csv: String {
        let header = [
            "target", "url", "group", "availability", "coverage", "up_seconds", "down_seconds", "outages",
            "longest_seconds", "mttr_seconds", "mtbf_seconds", "sent", "lost", "p50_seconds", "p95_seconds",
            "p99_seconds", "maintenance_seconds", "degraded_seconds", "sla", "causes",
        ]
        let lines = shown.map(ReportRecord.TargetPart.init).map { row in
            let texts = [row.target, row.url, row.group ?? ""].map(\.csvField)
            let numbers: [(any CustomStringConvertible)?] = [
                row.availability, row.coverage, row.upSeconds, row.downSeconds, row.outages, row.longestSeconds,
                row.mttrSeconds, row.mtbfSeconds, row.sent, row.lost, row.p50Seconds, row.p95Seconds, row.p99Seconds,
                row.maintenanceSeconds, row.degradedSeconds, row.sla,
            ]
            let causes = row.causes.map { "\($0.cause): \($0.outages)" }.joined(separator: "; ")
            return (texts + numbers.map { $0?.description ?? "" } + [causes.csvField]).joined(separator: ",")
        }
        return ([header.joined(separator: ",")] + lines).joined(separator: "\n")
    }
}

extension String {
    /// The text as a field of CSV: quoted if it has a separator, and never a formula of a spreadsheet
    /// (https://owasp.org/www-community/attacks/CSV_Injection).
    fileprivate var csvField: String {
        // By scalars: a sign with an accent, or CR with LF, is another character.
        let isFormula = unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
        var text = isFormula ? "'" : ""
        for scalar in unicodeScalars {
            if scalar == "\"" { text.unicodeScalars.append(scalar) }
            text.unicodeScalars.append(scalar)
        }
        return unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) } ? "\"\(text)\"" : text
    }
}
