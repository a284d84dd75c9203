public import Monitoring

extension StoryPlayer {
    /// Performs a command about vantage points.
    ///
    /// * `report NAME fra=12ms nyc=down:refused sin=degraded:900ms syd=unknown gru=gone` records reports at the current
    ///   time; `report NAME 30s fra=up` those of samples that are this old.
    /// * `reporting fra nyc` says that all that these said holds still.
    mutating func reportOn(_ verb: String, _ arguments: [String]) throws -> Consequences {
        guard verb == "report" else {
            return story.roster.record([.vantagePointsReporting(arguments, at: story.now)])
        }
        guard let id = arguments.first.flatMap({ story[$0]?.id }) else { throw StoryError("unknown target") }
        let age = arguments.dropFirst().first.flatMap { Duration(text: $0) }
        let reports = try arguments.dropFirst(age == nil ? 1 : 2).map { text in
            try VantageReport(story: text, time: story.now - (age ?? .zero))
        }
        return story.roster.record([.vantageReports(id, reports, at: story.now)])
    }

    /// The verdict of a target as a sentence, its round trip, and whether it is disputed.
    func verdict(of name: String) throws -> String {
        guard let state = story[name] else { throw StoryError("unknown target \(name)") }
        guard let verdict = state.vantageVerdict else { return "\(name): \(state.health.rawValue), no reports" }
        let sentence = verdict.sentence(at: story.now, since: state.judge.since)
        let figure = verdict.roundTrip.map { " (\($0.roundTripText))" } ?? ""
        return "\(name): \(sentence)\(figure)\(verdict.isDisputed ? ", disputed" : "")"
    }
}

extension VantageReport {
    /// Creates a report from its text in a story: `NAME=HEALTH:DETAIL`, where a round trip stands for up.
    public init(story text: String, time: Duration) throws {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw StoryError("not NAME=HEALTH: \(text)") }
        let values = parts[1].split(separator: ":", maxSplits: 1).map(String.init)
        let roundTrip = values.lazy.compactMap { Duration(text: $0) }.first
        let health = roundTrip != nil && values.count == 1 ? Health.up : Health(rawValue: values[0])
        guard health != nil || values[0] == "gone" else { throw StoryError("unknown health in \(text)") }
        self.init(
            vantagePoint: parts[0],
            health: health,
            roundTrip: roundTrip,
            detail: values.count == 2 && roundTrip == nil ? values[1].replacing("_", with: " ") : nil,
            sampled: .seconds(1_795_183_351) + time,
            time: time
        )
    }
}
