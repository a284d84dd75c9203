import ReachMonitoring
import TestSupport
import Testing

@testable import ReachFleet

struct QueryPlannerTests {
    /// A planner that knows the metrics of its server.
    private func ready(_ now: Duration = .zero) -> QueryPlanner {
        var planner = QueryPlanner(PrometheusSettings(name: "p", url: "http://p:9090"))
        for texts in [["reach_up", "reach_targets", "reach_build_info"], ["vantage"]] {
            guard let query = planner.next(at: now) else { continue }
            var result = QueryResult()
            result.texts = texts
            planner.complete(query, result, after: .zero, at: now)
        }
        return planner
    }

    /// Answers a query with these series.
    private func answer(
        _ planner: inout QueryPlanner,
        _ query: PlannedQuery,
        _ series: [String] = [],
        cost: Duration = .zero,
        at now: Duration
    ) {
        var result = QueryResult(series: series.map { MetricSeries(picture: $0, at: 1_000) })
        result.cost = cost
        planner.complete(query, result, after: cost, at: now)
    }

    @Test func `at most two queries are sent at a time`() {
        var planner = ready()
        let queries = (0..<5).compactMap { _ in planner.next(at: .zero) }
        #expect(queries.map(\.purpose) == [.reports, .failing()])
        answer(&planner, queries[0], ["vantage=fra 1"], at: .zero)
        #expect(planner.next(at: .zero)?.purpose == .counts)
    }

    @Test func `a server that rejects the search for vantage points that ended is not asked again`() {
        var planner = ready()
        var random = SplitMix(seed: 3)
        var asked = 0
        for second in 0..<60 {
            let now = Duration.seconds(second)
            while let query = planner.next(at: now) {
                guard query.purpose != .earlierReports else {
                    asked += 1
                    planner.fail(query, .rejected(type: "execution", "no subqueries"), at: now, using: &random)
                    continue
                }
                let series: [String] =
                    switch query.purpose {
                    case .reports: ["vantage=fra 1"]
                    case .counts: ["group=A 3"]
                    default: []
                    }
                answer(&planner, query, series, at: now)
            }
        }
        #expect(asked == 1 && planner.rejections.isEmpty)
    }

    @Test func `a query waits until a vantage point has reported again`() throws {
        var planner = ready()
        var times: [Duration] = []
        var report = 0
        for second in 0..<120 {
            let now = Duration.seconds(second)
            if second % 60 == 30 { report += 1 }
            while let query = planner.next(at: now) {
                if query.purpose == .failing() { times.append(now) }
                answer(&planner, query, query.purpose == .reports ? ["vantage=fra \(report)"] : [], at: now)
            }
        }
        // After the first report, the reports at 30 s and 90 s, and when nothing came for half a minute.
        #expect(times.count <= 6 && times.contains(.seconds(30)) && times.contains(.seconds(90)), "\(times)")
    }

    @Test func `queries take a tenth of a core of a slow server at most`() {
        var planner = ready()
        var busy = Duration.zero
        var report = 0
        for tenth in 0..<6_000 {
            let now = Duration.milliseconds(tenth * 100)
            if tenth % 20 == 0 { report += 1 }
            while let query = planner.next(at: now) {
                let series: [String] =
                    switch query.purpose {
                    case .reports: ["vantage=fra \(report)"]
                    case .counts: ["group=A 100000"]
                    default: []
                    }
                busy += .seconds(1)
                answer(&planner, query, series, cost: .seconds(1), at: now)
            }
        }
        #expect(busy < .seconds(66) && busy > .seconds(30), "\(busy)")
    }

    @Test func `a server that does not answer is asked with growing pauses, one query at a time`() {
        var planner = ready()
        var random = SplitMix(seed: 3)
        var times: [Duration] = []
        for tenth in 0..<6_000 {
            let now = Duration.milliseconds(tenth * 100)
            while let query = planner.next(at: now) {
                times.append(now)
                planner.fail(query, .unreachable("refused"), at: now, using: &random)
            }
        }
        // The first two were sent together.
        #expect(times.count > 15 && times.count < 120, "\(times.count)")
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(2) || $0 == .zero })
        #expect(planner.failure == .unreachable("refused"))
    }

    @Test func `a slow server that answers again is asked first how old its values are`() throws {
        var planner = ready()
        var random = SplitMix(seed: 3)
        while let query = planner.next(at: .zero) {
            answer(&planner, query, ["group=A 1"], cost: .seconds(4), at: .zero)
        }
        let next = planner.next(at: .seconds(110))
        let query = try #require(next)
        #expect(query.purpose == .failing())
        planner.fail(query, .unreachable("refused"), at: .seconds(111), using: &random)
        #expect(planner.next(at: .seconds(150))?.purpose == .reports)
    }

    @Test func `the next query is never due while nothing can be sent`() {
        var planner = ready()
        for second in 0..<60 {
            let now = Duration.seconds(second)
            while let query = planner.next(at: now) { answer(&planner, query, at: now) }
            let due = planner.nextDue(at: now)
            #expect(due.map { $0 > now } ?? false, "at \(second) s: \(String(describing: due))")
        }
    }

    @Test(arguments: [[], ["NAS"]])
    func `a large fleet wakes nothing while nothing can be sent`(wanted: [String]) {
        var planner = ready()
        var wakes = 0
        var now = Duration.zero
        while now < .seconds(60), wakes < 1_000 {
            planner.request(rows: wanted)
            while let query = planner.next(at: now) {
                answer(&planner, query, query.purpose == .counts ? ["group=A 100000"] : [], at: now)
            }
            guard let due = planner.nextDue(at: now) else { break }
            wakes += 1
            now = max(due, now + .milliseconds(10))
        }
        // Once every two seconds, and for the counts and the failing targets.
        #expect(wakes < 60, "\(wakes)")
    }

    @Test func `rows are read in batches, new ones first`() throws {
        var planner = ready()
        while let query = planner.next(at: .zero) {
            let series = query.purpose == .reports ? ["vantage=fra 1"] : ["group=A 100000"]
            answer(&planner, query, query.purpose == .failing() ? [] : series, at: .zero)
        }
        let targets = (0..<600).map { "t\($0)" }
        planner.request(rows: targets)
        var sizes: [Int] = []
        while let query = planner.next(at: .seconds(1)) {
            if case .rows(let targets) = query.purpose { sizes.append(targets.count) }
            answer(&planner, query, at: .seconds(1))
        }
        #expect(sizes == [250, 250, 100])
        planner.request(rows: ["new"] + targets)
        #expect(planner.next(at: .seconds(1.5))?.purpose == .rows(["new"]))
    }

    @Test func `a query for too many series is divided`() throws {
        var planner = ready()
        while let query = planner.next(at: .zero) {
            answer(&planner, query, query.purpose == .counts ? ["group=A 100000"] : [], at: .zero)
        }
        planner.request(rows: (0..<100).map { "t\($0)" })
        let next = planner.next(at: .seconds(1))
        let query = try #require(next)
        var random = SplitMix(seed: 1)
        let failure = QueryFailure.rejected(
            type: "execution",
            "query processing would load too many samples into memory"
        )
        planner.fail(query, failure, at: .seconds(1), using: &random)
        var sizes: [Int] = []
        for second in 2..<60 {
            while let query = planner.next(at: .seconds(second)) {
                if case .rows(let targets) = query.purpose { sizes.append(targets.count) }
                answer(&planner, query, at: .seconds(second))
            }
        }
        #expect(sizes.first == 50)
    }

    @Test(arguments: [1, 200])
    func `answers that are too long are followed by growing pauses, also if the query cannot be divided`(count: Int) {
        var planner = ready()
        var random = SplitMix(seed: 2)
        var times: [Duration] = []
        for second in 0..<600 {
            let now = Duration.seconds(second)
            planner.request(rows: (0..<count).map { "t\($0)" })
            while let query = planner.next(at: now) {
                switch query.purpose {
                case .rows:
                    times.append(now)
                    planner.fail(query, .tooLong, at: now, using: &random)
                case .reports: answer(&planner, query, ["vantage=fra \(second)"], at: now)
                case .counts: answer(&planner, query, ["group=A 100000"], at: now)
                default: answer(&planner, query, at: now)
                }
            }
        }
        #expect((15...40).contains(times.count), "\(times)")
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(2) }, "\(times)")
        #expect(zip(times, times.dropFirst()).suffix(5).allSatisfy { $1 - $0 >= .seconds(15) }, "\(times)")
    }

    @Test func `a server without metrics of probes is asked again`() {
        var planner = QueryPlanner(PrometheusSettings(name: "p", url: "http://p"))
        for _ in 0..<2 {
            guard let query = planner.next(at: .zero) else { continue }
            answer(&planner, query, at: .zero)
        }
        #expect(planner.hasNoMetrics)
        #expect(planner.next(at: .seconds(9)) == nil)
        #expect(planner.next(at: .seconds(10))?.purpose == .metricNames)
    }

    @Test func `a question about the past does not wait for other queries`() {
        var planner = ready()
        while planner.next(at: .zero) != nil {}
        let span = QuerySpan(endingAt: 10_000, seconds: 3_600, step: 60)
        planner.request(RangeQuery(target: "NAS", values: .shares, span: span))
        let query = planner.next(at: .zero)
        #expect(query?.request.path == "/api/v1/query_range")
        #expect(
            query?.request.parameters.first?.value == #"avg_over_time(reach_up{target="NAS"}[60s])"#
        )
    }
}
