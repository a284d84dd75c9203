package import ReachMonitoring

/// A change of a target's usual round trips or losses as a JSON object: one line of `reach shifts --json`, or a part of the
/// context of a hook run. The keys are stable: they are only ever added to.
package struct ShiftRecord: Sendable, Hashable, Encodable {
    /// The name of the target; absent in the context of a hook run, which has it.
    var target: String?
    /// When it began.
    let since: String
    /// What changed, and how: `latency_rose`, `loss_back` and others.
    let change: String
    let detail: String
    /// How long the shift lasted that it ends.
    let afterSeconds: Double?
    var levelBeforeMs: Double?
    var levelMs: Double?
    var lossBefore: Double?
    var loss: Double?

    enum CodingKeys: String, CodingKey {
        case target, since, change, detail, loss
        case afterSeconds = "after_seconds"
        case levelBeforeMs = "level_before_ms"
        case levelMs = "level_ms"
        case lossBefore = "loss_before"
    }

    /// The record of a change; nil for one of several targets.
    ///
    /// - Parameter wall: the wall time from which its time is counted.
    init?(_ news: ShiftNews, wall: WallTime) {
        guard let shift = StoredShift(news) else { return nil }
        self.init(shift, wall: wall)
    }

    /// The record of a change of a target, whose time is since 1970.
    package init(_ shift: StoredShift, of target: String) {
        self.init(shift, wall: WallTime(start: .zero))
        self.target = target
    }

    private init(_ shift: StoredShift, wall: WallTime) {
        since = wall.timestamp(at: shift.began)
        (change, detail) = (shift.change.rawValue, shift.words)
        afterSeconds = shift.ends?.millisecondPrecision
        if shift.change.isOfLevel {
            (levelBeforeMs, levelMs) = (shift.before.thousandths, shift.after.thousandths)
        } else {
            (lossBefore, loss) = ((shift.before / 100).thousandths, (shift.after / 100).thousandths)
        }
    }
}
