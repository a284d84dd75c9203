import Foundation
import ReachMonitoring
import TestSupport

@testable import ReachFleet

/// A fleet whose servers are scripted: queries are answered by their text, at once if the test does not delay them.
struct FleetStory {
    /// A server as the test describes it.
    struct Server {
        /// Series by the expression of the query.
        var answers: [String: [String]] = [:]
        /// The fleet that answers instead.
        var network: SimulatedFleet?
        var names = ["reach_up", "reach_build_info", "reach_targets", "reach_last_round_trip_seconds"]
        var labels = ["vantage", "target", "group"]
        /// How long it calculates.
        var cost = Duration.milliseconds(5)
        var failure: QueryFailure?
        /// The time until the answer, by the expression of the query.
        var delays: [String: Duration] = [:]
        /// Its clock minus that of the program.
        var ahead = 0.0
    }

    var servers: [Server]
    private(set) var planners: [QueryPlanner]
    var model: FleetModel
    var roster = Roster()
    /// The groups that are shown as a whole.
    var groups: Set<String> = []
    private(set) var now = Duration.zero
    /// The purposes of the queries so far, by server.
    private(set) var sent: [[PlannedQuery]]
    /// The verdicts so far, as `NAS: up→down`.
    private(set) var transitions: [String] = []
    /// The times of these.
    private(set) var times: [Duration] = []
    /// The hook runs so far.
    private(set) var runs: [HookRun] = []
    /// The details of those to down.
    private(set) var details: [String] = []
    private var random = SplitMix(seed: 1)
    /// The queries whose answers are delayed, with the servers.
    private var delayed: [(due: Duration, index: Int, query: PlannedQuery)] = []

    init(_ servers: [Server], rows: Int = 2_000, change: (inout PrometheusSettings) -> Void = { _ in }) {
        self.servers = servers
        let settings = servers.indices.map { index in
            var settings = PrometheusSettings(name: "p\(index)", url: "http://p\(index):9090")
            settings.rows = rows
            change(&settings)
            return settings
        }
        planners = settings.map { QueryPlanner($0) }
        model = FleetModel(settings)
        sent = servers.map { _ in [] }
        _ = roster.apply(Settings(targets: []), at: .zero)
    }

    /// Lets time pass in steps of a tenth of a second, and answers every query.
    mutating func run(for span: Duration) {
        let end = now + span
        while now < end {
            now += .milliseconds(100)
            for index in planners.indices { exchange(with: index) }
            apply(model.takeUpdate(at: now))
            let expired = roster.expire(at: now)
            note(expired)
        }
    }

    /// Replaces the settings, as a reload does.
    mutating func reload(change: (inout PrometheusSettings) -> Void) {
        let settings = planners.map { planner in
            var settings = planner.settings
            change(&settings)
            return settings
        }
        planners = settings.map { QueryPlanner($0) }
        let old = model
        model = FleetModel(settings)
        model.keepTargets(of: old)
    }

    private mutating func exchange(with index: Int) {
        let due = delayed.filter { $0.index == index && $0.due <= now }
        delayed.removeAll { $0.index == index && $0.due <= now }
        for (_, _, query) in due { finish(query, of: index) }
        planners[index].request(rows: model.requestedRows(at: now))
        planners[index].request(groups: groups)
        wantChanges(of: index)
        while let query = planners[index].next(at: now) {
            sent[index].append(query)
            let expression = query.request.parameters.first { $0.name == "query" }?.value ?? ""
            if let delay = servers[index].delays[expression] {
                delayed.append((now + delay, index, query))
            } else {
                finish(query, of: index)
                wantChanges(of: index)
            }
        }
    }

    private mutating func wantChanges(of index: Int) {
        planners[index].request(outdated: model.outdatedRows(ofServer: index))
        planners[index].request(earlier: model.earlierRows(ofServer: index))
    }

    private mutating func finish(_ query: PlannedQuery, of index: Int) {
        switch answer(query, of: servers[index]) {
        case .success(let result):
            planners[index].complete(query, result, after: servers[index].cost, at: now)
            model.record(result, to: query, ofServer: index, planner: planners[index], wall: 1_000, at: now)
        case .failure(let failure):
            planners[index].fail(query, failure, at: now, using: &random)
            model.noteFailure(ofServer: index, planners[index], at: now)
        }
    }

    private func answer(_ query: PlannedQuery, of server: Server) -> Result<QueryResult, QueryFailure> {
        if let failure = server.failure { return .failure(failure) }
        var result = QueryResult()
        result.cost = server.cost
        switch query.purpose {
        case .metricNames: result.texts = server.names
        case .labelNames: result.texts = server.labels
        default:
            let expression = query.request.parameters.first { $0.name == "query" }?.value ?? ""
            let time = 1_000 + now.inSeconds + server.ahead
            if let network = server.network { return network.answer(query.purpose, at: time) }
            result.series = (server.answers[expression] ?? []).map { MetricSeries(picture: $0, at: time) }
        }
        return .success(result)
    }

    private mutating func apply(_ update: FleetUpdate) {
        note(roster.record(update, at: now))
    }

    private mutating func note(_ consequences: Consequences) {
        runs += consequences.runs
        for event in consequences.events {
            guard case .transition(let transition) = event.kind, let id = event.targets.first else { continue }
            let name = roster[id]?.target.name ?? "?"
            transitions.append("\(name): \(transition.from.rawValue)→\(transition.to.rawValue)")
            times.append(transition.time)
            if transition.to == .down { details.append("\(transition.cause)") }
        }
    }

    /// The health of a target by name; nil if it is not in the roster.
    func health(_ name: String) -> Health? {
        roster.states.first { $0.target.name == name }?.health
    }

    /// The verdict of a target.
    func verdict(_ name: String) -> VantageVerdict? {
        roster.states.first { $0.target.name == name }?.vantageVerdict
    }

    /// The expressions that were sent to a server, without repetitions.
    func expressions(_ index: Int = 0) -> [String] {
        var expressions: [String] = []
        for query in sent[index] {
            let text = query.request.parameters.first { $0.name == "query" }?.value ?? query.request.path
            if !expressions.contains(text) { expressions.append(text) }
        }
        return expressions
    }
}

extension MetricSeries {
    /// Parses `target=NAS,vantage=fra 1`.
    init(picture: String, at time: Double) {
        let parts = picture.split(separator: " ")
        var labels: [String: String] = [:]
        for pair in parts[0].split(separator: ",") {
            let words = pair.split(separator: "=", maxSplits: 1)
            labels[String(words[0])] = String(words[1])
        }
        self.init(labels: labels, points: [Point(time: time, value: Double(parts[1]) ?? .nan)])
    }
}

extension FleetStory.Server {
    /// A server with three vantage points that reach two targets.
    static func healthy() -> Self {
        var server = Self()
        server.answers[Expression.reports] = ["vantage=fra 1000", "vantage=nyc 1000", "vantage=sin 1000"]
        server.answers[Expression.counts] = ["group=Web,vantage=fra 2", "group=Web,vantage=nyc 2"]
        server.answers[Expression.all] = ["fra", "nyc", "sin"].flatMap { vantage in
            [
                "target=Shop,group=Web,vantage=\(vantage) 1", "target=API,group=Web,vantage=\(vantage) 1",
                "target=Shop,group=Web,vantage=\(vantage),reach_part=round_trip 0.012",
            ]
        }
        return server
    }

    /// The expressions of a server with the metrics of `reach watch --listen`.
    enum Expression {
        static let reports = "max by (vantage) (timestamp(reach_build_info))"
        static let earlierReports = "max by (vantage) (max_over_time(timestamp(reach_build_info)[1h:1m]))"
        static let counts = "sum by (group, vantage) (reach_targets)"
        static let failing = "reach_failing_since_timestamp_seconds{}"
        static let summaries =
            "count by (vantage) (reach_up{}) unless (count by (vantage) (reach_build_info)"
            + " and count by (vantage) (reach_targets))"
        static let all = rows(where: "")

        static func rows(_ targets: String...) -> String {
            rows(where: PromQL.matcher("target", oneOf: targets))
        }

        static func rows(ofVantagePoint name: String) -> String {
            rows(where: PromQL.matcher("vantage", oneOf: [name]))
        }

        /// The default of `stale_after` is 150 s.
        static func rows(where matcher: String, staleAfter: Double = 150) -> String {
            "(reach_up{\(matcher)} and timestamp(reach_up{\(matcher)}) > time() - \(staleAfter)) "
                + "or label_replace(reach_last_round_trip_seconds{\(matcher)}, "
                + "\"reach_part\", \"round_trip\", \"\", \"\")"
        }
    }
}

/// Answers of a Prometheus as the tests write them.
enum Answer {
    /// Reads a text in one piece.
    static func read(
        _ text: String,
        status: Int = 200,
        isWhole: Bool = true,
        limits: QueryResultReader.Limits = QueryResultReader.Limits(series: 1_000)
    ) throws(QueryFailure) -> QueryResult {
        var reader = QueryResultReader(limits)
        reader.append(Array(text.utf8)[...])
        return try reader.finish(httpStatus: status, isWhole: isWhole)
    }

    /// The failure of a text.
    static func failure(_ text: String, status: Int = 200, isWhole: Bool = true) -> QueryFailure? {
        do throws(QueryFailure) {
            _ = try read(text, status: status, isWhole: isWhole)
            return nil
        } catch {
            return error
        }
    }

    /// A vector as Prometheus 2.42 writes it.
    static func vector(_ series: String..., more: String = "") -> String {
        #"{"status":"success","data":{"resultType":"vector","result":["# + series.joined(separator: ",") + "]\(more)}}"
    }

    /// A series of an instant query.
    static func series(_ labels: [String: String], _ value: String, at time: Double = 1_000) -> String {
        let pairs = labels.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
        return #"{"metric":{"# + pairs + #"},"value":["# + "\(time),\"\(value)\"]}"
    }
}
