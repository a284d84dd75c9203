import ReachMonitoring

extension FleetModel {
    /// The values of a target at one vantage point.
    typealias Row = (health: Health?, roundTrip: Duration?)

    /// - Parameters:
    ///   - targets: the queried targets; nil for all, empty for those of a group.
    ///   - number: the number of the query.
    mutating func record(
        rows result: QueryResult,
        about targets: [String]?,
        number: Int,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        at now: Duration
    ) {
        let rows = rows(of: result, ofServer: index, metrics)
        // A target with only a round trip may be gone.
        for series in result.series where series.labels[ProbeMetrics.partLabel] == nil {
            guard let target = series.label(metrics.targetLabel) else { continue }
            _ = enter(target, series, ofServer: index, metrics, at: now, isNeeded: targets?.isEmpty ?? true)
        }
        for target in targets ?? Array(entries.keys) { entries[target]?.answers.insert(index) }
        let read = targets.map { Set(rows.keys).union($0) } ?? Set(entries.keys).union(rows.keys)
        for target in read {
            let recovered = servers[index].noteRead(target, by: number)
            record(rows[target] ?? [:], of: target, recovered: recovered, ofServer: index, at: now)
        }
        publishReports(read)
    }

    /// Records the state of targets before they failed. It is reported first, so that the failure is a change.
    mutating func record(
        earlier result: QueryResult,
        about targets: [String],
        at time: Double,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        now: Duration
    ) {
        let rows = rows(of: result, ofServer: index, metrics)
        for target in targets {
            servers[index].unreadPast[target] = nil
            for (vantage, row) in rows[target] ?? [:] {
                guard let health = row.health else { continue }
                let report = VantageReport(
                    vantagePoint: vantage,
                    health: health,
                    roundTrip: health == .down ? nil : row.roundTrip,
                    detail: nil,
                    sampled: .seconds(max(-1e9, min(1e11, time))),
                    time: localTime(time, ofServer: index, at: now) ?? now
                )
                entries[target]?.earlier.append(report)
                entries[target]?.vantagePoints[index, default: []].insert(vantage)
            }
        }
        publishReports(Set(targets))
    }

    /// The rows of an answer, by target and vantage point.
    private func rows(
        of result: QueryResult,
        ofServer index: Int,
        _ metrics: ProbeMetrics
    ) -> [String: [String: Row]] {
        var rows: [String: [String: Row]] = [:]
        for series in result.series {
            guard let target = series.label(metrics.targetLabel) else { continue }
            let vantage = name(ofVantagePoint: series, metrics, server: index)
            var row = rows[target]?[vantage] ?? (nil, nil)
            if series.labels[ProbeMetrics.partLabel] != nil {
                row.roundTrip = Duration(roundTrip: series.value)
            } else {
                // Of several series of one vantage point, the worst counts.
                let health = Health(probe: series.value)
                if row.health == nil || health == .down { row.health = health }
            }
            rows[target, default: [:]][vantage] = row
        }
        return rows
    }

    /// Records the last values of a vantage point that stopped reporting before the program started. Targets that no
    /// other vantage point reports may be gone, and do not enter.
    mutating func record(
        ended result: QueryResult,
        _ vantage: String,
        at time: Double,
        ofServer index: Int,
        _ metrics: ProbeMetrics,
        now: Duration
    ) {
        guard servers[index].reports[vantage] == nil, let ended = localTime(time, ofServer: index, at: now)
        else { return }
        servers[index].ended[vantage] = time
        // Values that are not stale yet would still count.
        let isStale = ended + servers[index].settings.staleAfter <= now
        let rows = rows(of: result, ofServer: index, metrics)
        for (target, row) in rows {
            guard let value = row[vantage], entries[target]?.vantagePoints[index]?.contains(vantage) == false else {
                continue
            }
            // The next rows lack this vantage point, which ends its report.
            entries[target]?.vantagePoints[index]?.insert(vantage)
            deferReport(
                isStale ? value.health : nil,
                roundTrip: isStale ? value.roundTrip : nil,
                vantage,
                of: target,
                ofServer: index,
                at: now
            )
        }
        publishReports(Set(rows.keys))
    }

    /// - Parameter recovered: the vantage points that no longer see the target fail.
    mutating func record(
        _ row: [String: Row],
        of target: String,
        recovered: Set<String> = [],
        ofServer index: Int,
        at now: Duration
    ) {
        guard entries[target]?.answers.insert(index) != nil else { return }
        let waited = entries[target]?.unexplained[index] ?? []
        var unexplained: Set<String> = []
        for (vantage, value) in row {
            guard let health = value.health else { continue }
            var failure = servers[index].failing[target]?[vantage]
            if health == .up, failure?.health == .down {
                // The next failure is another outage.
                failure?.since = nil
                servers[index].failing[target]?[vantage] = failure
            }
            // The row is newer than the failures, which have the reason and are read after each report. It waits for them
            // once.
            if health == .down, failure == nil, servers[index].isFailingWhole {
                unexplained.insert(vantage)
                guard waited.contains(vantage) else { continue }
            }
            let isDegraded = health == .up && failure?.health == .degraded
            let reason = health == .down || isDegraded ? failure : nil
            deferReport(
                isDegraded ? .degraded : health,
                roundTrip: health == .down ? nil : value.roundTrip,
                detail: reason?.detail,
                since: reason?.since,
                isNew: health == .up && recovered.contains(vantage),
                vantage,
                of: target,
                ofServer: index,
                at: now
            )
        }
        let reporting = Set(row.filter { $0.value.health != nil }.keys)
        // The samples of failing vantage points may be stale.
        let failing = servers[index].failing[target, default: [:]].keys
        let known = (entries[target]?.vantagePoints[index] ?? []).union(failing)
        for vantage in known.subtracting(reporting) {
            deferReport(nil, vantage, of: target, ofServer: index, at: now)
        }
        entries[target]?.vantagePoints[index] = reporting
        entries[target]?.unexplained[index] = unexplained
    }
}

extension FleetModel {
    /// What is known about one server.
    struct Server: Sendable {
        let settings: PrometheusSettings
        var state: FleetServer
        /// The time of its clock at the start of the program, in seconds since 1970; nil before an answer.
        var start: Double?
        /// When each vantage point reported last, by the server's clock.
        var reports: [String: Double] = [:]
        /// The same for vantage points that stopped reporting before the program started.
        var ended: [String: Double] = [:]
        /// When ``reports`` were answered, since the start of the program.
        var reportsAnswered = Duration.zero
        var groupSizes: [String: Int] = [:]
        /// Whether all of its targets were read; otherwise, some are only counted.
        var isWhole = false
        /// The failing targets with their failures by vantage point.
        var failing: [String: [String: TargetFailure]] = [:]
        /// The failing targets whose outage start is being searched for.
        var undated: Set<String> = []
        /// The targets to read at once, because they begin or cease to fail, or a vantage point of theirs was silent for
        /// long. Their reports wait until then.
        private(set) var unread: [String: Unread] = [:]
        /// The targets to read as of a time before they failed, by the server's clock.
        var unreadPast: [String: Double] = [:]
        /// Whether ``failing`` is complete, so that no other target fails.
        var isFailingWhole = false
        /// The time of the oldest samples of ``failing``, by the server's clock.
        var failingRead: Double?
        /// The number of the next query at the time of the last answer.
        var nextQuery = 0
        /// Whether it does not answer. Then no report waits for it.
        var isSilent = false

        /// A target that waits to be read again.
        struct Unread: Sendable, Hashable {
            /// The number of the first query whose answer is new enough.
            var firstQuery: Int
            /// The vantage points that no longer see it fail.
            var recovered: Set<String>
        }

        /// Whether there are vantage points that report, and all of them see a target down.
        func isDownEverywhere(_ target: String) -> Bool {
            let failures = failing[target, default: [:]]
            return !reports.isEmpty && reports.keys.allSatisfy { failures[$0]?.health == .down }
        }

        /// Marks a target as outdated, so that it is read again.
        mutating func outdate(_ target: String, recovered: [String] = []) {
            let before = unread[target]?.recovered ?? []
            unread[target] = Unread(firstQuery: nextQuery, recovered: before.union(recovered))
        }

        /// Records that a target was read.
        ///
        /// - Parameter query: the number of the query; nil if its age does not matter.
        /// - Returns: the vantage points that no longer saw it fail when the query was sent.
        mutating func noteRead(_ target: String, by query: Int? = nil) -> Set<String> {
            guard let wait = unread[target], query.map({ $0 >= wait.firstQuery }) ?? true else { return [] }
            unread[target] = nil
            return wait.recovered
        }
    }
}
