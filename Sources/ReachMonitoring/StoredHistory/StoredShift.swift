import ReachBasics

/// A change of the usual round trips or losses as the history has it.
package struct StoredShift: Sendable, Hashable {
    /// What changed, and how.
    package let change: ShiftNews.Change
    /// The level before and after: round trips in milliseconds, or shares of lost probes in per cent.
    package let before: Double
    package let after: Double
    /// What may be the reason, in words; nil if nothing is known.
    package let reason: String?
    /// When it began: since 1970 in the history, otherwise since the start of the program.
    package private(set) var began: Duration
    /// How long the shift lasted that it ends; nil for another change.
    package let ends: Duration?

    /// The stored form of a change of one target; nil for one of several.
    package init?(_ news: ShiftNews) {
        (change, began, ends) = (news.change, news.began, news.ends)
        switch news {
        case .level(let shift):
            (before, after) = (shift.before / .milliseconds(1), shift.after / .milliseconds(1))
            reason = shift.reason
        case .loss(let shift):
            (before, after, reason) = (shift.before * 100, shift.after * 100, nil)
        case .common:
            return nil
        }
    }

    /// The change of a stored event; nil for one of another kind, or a damaged one.
    package init?(_ event: HistoryEvent) {
        guard event.kind == .shift, let change = event.reason.flatMap({ ShiftNews.Change(rawValue: $0) }),
            let match = event.detail?.prefixMatch(of: /from ([0-9.]+) to ([0-9.]+)(ms| %)/),
            let before = Double(match.1), let after = Double(match.2), before != after,
            before <= change.most, after <= change.most, change.isReturn == (event.length != nil),
            event.length.map({ $0 >= .zero && $0 <= Self.longest }) ?? true
        else { return nil }
        (self.change, self.before, self.after) = (change, before, after)
        let rest = event.detail?[match.range.upperBound...] ?? ""
        let words = rest.wholeMatch(of: /, ((?:since hop \d{1,3} changed)?(?:, )?(?:with \d{1,6} others: .*)?)/)?.1
        reason = words.flatMap { $0.isEmpty ? nil : String($0) }
        (began, ends) = (event.since ?? event.time, event.length)
    }

    /// The longest shift: ten years.
    private static let longest = Duration.seconds(3_650 * 86_400)

    /// The change with its time moved.
    func moved(by time: Duration) -> StoredShift {
        var moved = self
        moved.began += time
        return moved
    }

    /// The text for a history event: `from 12.031 to 38.204ms, since hop 4 changed`.
    package var detail: String {
        let numbers = [before, after].map { Duration.milliseconds(1) * $0 }.map {
            $0.decimal(.milliseconds(1), places: 3)
        }
        return "from \(numbers[0]) to \(numbers[1])\(change.isOfLevel ? "ms" : " %")\(reason.map { ", \($0)" } ?? "")"
    }

    /// The change as the rest of a sentence that begins with the target's name, without its time.
    package var words: String { news.summary + reasonText }

    /// The same with the time when it began.
    ///
    /// - Parameter timeOfDay: the text for ``began``.
    package func sentence(timeOfDay: (Duration) -> String) -> String {
        news.sentence(timeOfDay: timeOfDay) + reasonText
    }

    private var reasonText: String { reason.map { ", \($0)" } ?? "" }

    private var news: ShiftNews {
        guard change.isOfLevel else {
            return .loss(LossShift(before: before / 100, after: after / 100, began: began, found: began, ends: ends))
        }
        return .level(
            LevelShift(
                before: .milliseconds(1) * before,
                after: .milliseconds(1) * after,
                began: began,
                found: began,
                ends: ends
            )
        )
    }
}

extension ShiftNews.Change {
    /// The largest level: a day in milliseconds, or all probes in per cent.
    fileprivate var most: Double { isOfLevel ? 86_400_000 : 100 }
}

/// The changes of a target's round-trip level, or of its loss rate, in a period.
package struct ShiftTotal: Sendable, Hashable {
    /// What changed: `latency` or `loss`.
    package let kind: String
    /// The number of changes to another level, without returns.
    package private(set) var count = 0
    /// The longest time until the level returned, or changed again; nil if none did.
    package private(set) var longest: Duration?
    /// The newest change.
    package private(set) var last: StoredShift?

    init(of kind: String) { self.kind = kind }

    /// Adds a change, in the order of their times.
    mutating func add(_ shift: StoredShift) {
        // A correction of the change before.
        if let last, last.began == shift.began {
            if shift.ends != nil, last.ends == nil { count -= 1 }
            if let ends = shift.ends { longest = max(longest ?? .zero, ends) }
            return self.last = shift
        }
        let lasting = last.flatMap { $0.ends == nil ? $0 : nil }
        if let length = shift.ends ?? lasting.map({ shift.began - $0.began }) {
            longest = max(longest ?? .zero, length)
        }
        if shift.ends == nil { count += 1 }
        last = shift
    }

    /// The total in words: `3 shifts, longest 2h10m`.
    package var summary: String {
        let number = "\(count) \(count == 1 ? "shift" : "shifts")"
        return longest.map { "\(number), longest \($0.spanText)" } ?? number
    }
}

/// The changes of a target's round-trip level and loss rate in a period.
package struct ShiftTotals: Sendable, Hashable {
    private var latency = ShiftTotal(of: "latency")
    private var loss = ShiftTotal(of: "loss")

    package init() {}

    /// Adds a change, in the order of their times.
    package mutating func add(_ shift: StoredShift) {
        if shift.change.isOfLevel { latency.add(shift) } else { loss.add(shift) }
    }

    /// Those with changes.
    package var all: [ShiftTotal] { [latency, loss].filter { $0.last != nil } }
}
