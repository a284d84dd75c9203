import ReachMonitoring

/// A common cause as a JSON object. The keys are stable: they are only ever added to.
struct CauseRecord: Sendable, Hashable, Encodable {
    /// The number of the cause in this run of the program.
    let id: Int
    /// What failed, for people.
    let place: String
    /// What failed: one of these, which no observation tells apart.
    let risks: [RiskRecord]
    /// The number of outages that it explains.
    let down: Int
    /// The targets behind it that say anything, and those of them that are up.
    let behind: Int
    let up: Int
    let othersUp: Int
    /// When the first of the outages began.
    let since: String
    /// An upper limit of the probability of chance.
    let chance: Double
    /// The names of the targets whose outages it explains; absent in the context of a hook.
    let targets: [String]?

    enum CodingKeys: String, CodingKey {
        case id, place, risks, down, behind, up, since, chance, targets
        case othersUp = "others_up"
    }

    init(_ cause: CommonCause, targets: [String]? = nil, wall: WallTime, redaction: Redaction = Redaction()) {
        (id, place) = (cause.id.rawValue, redaction.text(cause.place))
        risks = cause.accused.map { RiskRecord($0, redaction: redaction) }
        (down, behind, up, othersUp) = (cause.explained, cause.behind, cause.up, cause.othersUp)
        since = wall.timestamp(at: cause.since)
        chance = cause.chance
        self.targets = targets
    }
}

/// What may have failed, as a JSON object.
struct RiskRecord: Sendable, Hashable, Encodable {
    /// `hop`, `silent_hop`, `group` and others.
    let kind: String
    /// Its address or name; absent for a silent hop.
    let name: String?
    /// The address of the last hop before a silent one that answers; absent if none does.
    let after: String?
    /// The number of the silent hop after that, counted from one.
    let number: Int?

    init(_ risk: Risk, redaction: Redaction) {
        (kind, name) = (risk.kindName, risk.name.map(redaction.text))
        if case .silent(let position) = risk {
            (after, number) = (position.previous, position.number)
        } else {
            (after, number) = (nil, nil)
        }
    }
}
