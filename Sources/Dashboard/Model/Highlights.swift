import Monitoring

/// The figures that are highlighted because they have just changed.
struct Highlights: Sendable {
    /// How long a figure is highlighted at least. A highlight ends with the frame of the next second after that, so that
    /// it needs no frame of its own.
    static let duration = Duration.milliseconds(300)

    /// A highlighted figure.
    private struct Figure: Hashable {
        let target: Target.ID
        let column: TableColumn
    }

    private var ends: [Figure: Duration] = [:]

    /// Whether a figure is highlighted.
    func contains(_ column: TableColumn, of target: Target.ID) -> Bool {
        !ends.isEmpty && ends[Figure(target: target, column: column)] != nil
    }

    /// Highlights the last round trip of a target if it has changed by more than a tenth, and the loss if a probe was lost.
    ///
    /// - Parameters:
    ///   - old: the last sample before; nil if there was none.
    ///   - new: the last sample now.
    mutating func compare(_ old: Sample?, with new: Sample?, of target: Target.ID, at now: Duration) {
        guard let old, let new, old.time != new.time else { return }
        if new.isLoss { add(.loss, of: target, at: now) }
        // A tenth more or less is noise, and a column of bold figures would hide the others.
        guard let before = old.roundTrip, let after = new.roundTrip,
            abs((after - before).nanoseconds) * 10 > before.nanoseconds
        else { return }
        add(.last, of: target, at: now)
    }

    private mutating func add(_ column: TableColumn, of target: Target.ID, at now: Duration) {
        ends[Figure(target: target, column: column)] = now + Self.duration
    }

    /// Removes the highlights that have ended.
    mutating func removeEnded(at now: Duration) {
        ends = ends.filter { $0.value > now }
    }

    mutating func removeAll() {
        ends = [:]
    }
}
