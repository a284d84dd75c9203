import Monitoring

extension FleetModel {
    /// What is known about one server.
    struct Server: Sendable {
        let settings: PrometheusSettings
        var state: FleetServer
        /// The time of its clock at the start of the program, in seconds since 1970; nil before an answer.
        var start: Double?
        /// When each vantage point reported last, by its clock.
        var reports: [String: Double] = [:]
        /// When the vantage points that ended before the program began reported last, by its clock.
        var ended: [String: Double] = [:]
        /// When ``reports`` were answered, since the start of the program.
        var reportsAnswered = Duration.zero
        var groupSizes: [String: Int] = [:]
        /// Whether all of its targets were read, so that nothing is only counted.
        var isWhole = false
        /// The failing targets with their failures by vantage point.
        var failing: [String: [String: FailingSample]] = [:]
        /// The failing targets that wait for the time when their outage began.
        var undated: Set<String> = []
        /// The targets that are to be read at once: they begin or cease to fail, or a vantage point of theirs was silent for
        /// long. Reports on them wait for that.
        private(set) var unread: [String: Unread] = [:]
        /// The targets that are to be read as they were before they failed, with the time by the server's clock.
        var unreadPast: [String: Double] = [:]
        /// Whether all failing targets are known, so that the others do not fail.
        var isFailingWhole = false
        /// The time of the samples that ``failing`` is of, or of later ones, by the server's clock.
        var failingRead: Double?
        /// The number of the first query that was not sent before the last answer.
        var nextQuery = 0
        /// Whether it does not answer, so that nothing waits for it.
        var isSilent = false

        /// What a target is to be read again for.
        struct Unread: Sendable, Hashable {
            /// The number of the first query whose answer is new enough.
            var firstQuery: Int
            /// The vantage points that see its failure no more.
            var recovered: Set<String>
        }

        /// Whether all vantage points that report, if there are any, see a target down.
        func isDownEverywhere(_ target: String) -> Bool {
            let failures = failing[target, default: [:]]
            return !reports.isEmpty && reports.keys.allSatisfy { failures[$0]?.health == .down }
        }

        /// Records that what is known of a target is out of date.
        mutating func outdate(_ target: String, recovered: [String] = []) {
            let before = unread[target]?.recovered ?? []
            unread[target] = Unread(firstQuery: nextQuery, recovered: before.union(recovered))
        }

        /// Records that a target was read.
        ///
        /// - Parameter query: the number of the query; nil if its age does not matter.
        /// - Returns: the vantage points that saw its failure no more before the query was sent.
        mutating func noteRead(_ target: String, by query: Int? = nil) -> Set<String> {
            guard let wait = unread[target], query.map({ $0 >= wait.firstQuery }) ?? true else { return [] }
            unread[target] = nil
            return wait.recovered
        }
    }
}
