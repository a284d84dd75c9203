package import ReachMonitoring

/// A change of the usual round trips or losses, as a JSON object in the context of a hook run.
struct ShiftFacts: Sendable, Hashable, Encodable {
    /// What changed, and how: `latency_rose`, `loss_back` and others.
    let change: String
    let detail: String
    /// When it began.
    let since: String
    /// How long the shift lasted that it ends.
    let afterSeconds: Double?
    var levelBeforeMs: Double?
    var levelMs: Double?
    var lossBefore: Double?
    var loss: Double?

    enum CodingKeys: String, CodingKey {
        case change, detail, since, loss
        case afterSeconds = "after_seconds"
        case levelBeforeMs = "level_before_ms"
        case levelMs = "level_ms"
        case lossBefore = "loss_before"
    }

    init(_ news: ShiftNews, wall: WallTime) {
        (change, detail) = (news.change.rawValue, news.summary)
        since = wall.timestamp(at: news.began)
        afterSeconds = news.ends?.millisecondPrecision
        switch news {
        case .level(let shift): (levelBeforeMs, levelMs) = (shift.before.inMilliseconds, shift.after.inMilliseconds)
        case .loss(let shift): (lossBefore, loss) = (shift.before.thousandths, shift.after.thousandths)
        case .common: break
        }
    }
}

/// A change of a target's usual round trips or losses as a JSON object, one line of `reach shifts --json`. The keys are
/// stable: they are only ever added to.
package struct ShiftRecord: Encodable {
    let target: String
    /// When it began.
    let since: String
    /// What changed, and how: `latency_rose`, `loss_back` and others.
    let change: String
    let detail: String
    /// How long the shift lasted that it ends.
    let afterSeconds: Double?
    let levelBeforeMs: Double?
    let levelMs: Double?
    let lossBefore: Double?
    let loss: Double?

    enum CodingKeys: String, CodingKey {
        case target, since, change, detail, loss
        case afterSeconds = "after_seconds"
        case levelBeforeMs = "level_before_ms"
        case levelMs = "level_ms"
        case lossBefore = "loss_before"
    }

    /// The record of a change whose time is since 1970.
    package init(_ shift: StoredShift, of target: String) {
        self.target = target
        since = WallTime(start: .zero).timestamp(at: shift.began)
        (change, detail) = (shift.change.rawValue, shift.words)
        afterSeconds = shift.ends?.millisecondPrecision
        let isOfLevel = shift.change.isOfLevel
        levelBeforeMs = isOfLevel ? shift.before.thousandths : nil
        levelMs = isOfLevel ? shift.after.thousandths : nil
        lossBefore = isOfLevel ? nil : (shift.before / 100).thousandths
        loss = isOfLevel ? nil : (shift.after / 100).thousandths
    }
}
