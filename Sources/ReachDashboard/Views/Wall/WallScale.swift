import ReachMonitoring

/// The scale of the round trips on the wall: the steps of brightness of dots, and the lengths of bars. It comes from the data, in
/// round figures that rarely change.
struct WallScale: Sendable, Hashable {
    /// The lower bounds of the higher levels of brightness.
    private(set) var levels: [Duration] = [.milliseconds(10), .milliseconds(50), .milliseconds(200)]

    /// The shares of the targets below the bounds.
    private static let shares = [0.5, 0.8, 0.95]
    /// The number of targets from which on there are figures to go by.
    private static let minCount = 8
    /// The number of targets that are read; of more, each so many-th.
    private static let sample = 1_000
    /// How much longer a bound may be than the round trips below it before it is replaced.
    private static let slack = 5

    /// The number of levels.
    var count: Int { levels.count + 1 }

    /// Replaces the bounds if they no longer fit the last round trips of the targets that are up.
    mutating func update(with summaries: [TargetSummary]) {
        let stride = max(1, summaries.count / Self.sample)
        let sorted = Swift.stride(from: 0, to: summaries.count, by: stride).compactMap { index -> Duration? in
            let summary = summaries[index]
            return summary.health == .up && !summary.isPausedOrBlocked ? summary.roundTrip : nil
        }.sorted()
        guard sorted.count >= Self.minCount else { return }
        let parts = Self.shares.map { sorted[Int(Double(sorted.count - 1) * $0)] }
        let fits = zip(parts, levels).allSatisfy { part, level in part < level && level <= part * Self.slack }
        guard !fits else { return }
        levels = parts.reduce(into: []) { bounds, part in
            let bound = Self.rounded(up: part + .nanoseconds(1))
            bounds.append(bounds.last.map { bound > $0 ? bound : Self.rounded(up: $0 + .nanoseconds(1)) } ?? bound)
        }
    }

    /// The level of a round trip, from 0.
    func level(of roundTrip: Duration) -> Int { levels.count { $0 <= roundTrip } }

    /// The length of a bar of at most `columns` cells. Each level has an equal part of it, since the bounds grow as the data do.
    func barLength(of roundTrip: Duration, columns: Int) -> Int {
        let level = level(of: roundTrip)
        let start = level == 0 ? .zero : levels[level - 1]
        let end = level < levels.count ? levels[level] : start * 4
        let share = min(1, max(0, (roundTrip - start) / (end - start)))
        let length = (Double(level) + share) / Double(count) * Double(columns)
        return max(1, min(columns, Int(length.rounded(.up))))
    }

    /// Rounds up to 1, 2 or 5 times a power of ten.
    private static func rounded(up value: Duration) -> Duration {
        var power = Duration.microseconds(1)
        while power * 10 <= value { power = power * 10 }
        return [1, 2, 5, 10].lazy.map { power * $0 }.first { $0 >= value } ?? power * 10
    }
}

/// The state of the wall: the form that the user has chosen, and the scale of its round trips.
struct WallViewState: Sendable, Hashable {
    /// The form; nil for the most detailed one that fits.
    private(set) var form: WallForm.Kind?
    private(set) var scale = WallScale()

    mutating func choose(_ form: WallForm.Kind) {
        self.form = form
    }

    mutating func update(with summaries: [TargetSummary]) {
        scale.update(with: summaries)
    }
}

extension Model {
    /// Shows the next form of the wall that fits the screen.
    mutating func showNextForm() {
        let present = WallView(model: self).layout.form.kind
        let all = WallForm.Kind.allCases
        let others = (1..<all.count).map { all[((all.firstIndex(of: present) ?? 0) + $0) % all.count] }
        for form in others {
            var model = self
            model.wallState.choose(form)
            guard WallView(model: model).layout.form.kind == form else { continue }
            wallState.choose(form)
            return showStatus("the wall shows \(form)")
        }
        showStatus("only \(present) fit this screen")
    }
}
