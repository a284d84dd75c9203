import Monitoring

/// What waits to be written. It is bounded, so that a file that cannot be written for hours takes little memory: first
/// old samples are dropped, then old minutes, and at last new events.
struct PendingRows {
    private(set) var events: [TargetEvent] = []
    private(set) var minutes: [(number: Int64, figures: [(target: Target.ID, figures: ProbeFigures)])] = []
    private(set) var samples: [(start: Duration, samples: CompactSamples)] = []
    /// The events and minutes that were dropped.
    private(set) var dropped = (events: 0, minutes: 0)

    private static let maxEvents = 100_000
    private static let maxMinutes = 60
    private static let maxSamples = 5

    var isEmpty: Bool { events.isEmpty && minutes.isEmpty && samples.isEmpty }

    mutating func append(_ new: [TargetEvent]) {
        let room = max(0, Self.maxEvents - events.count)
        events += new.prefix(room)
        dropped.events += max(0, new.count - room)
    }

    mutating func append(_ minute: MinuteCollector.Minute) {
        var figures: [(target: Target.ID, figures: ProbeFigures)] = []
        minute.samples.forEach(by: { Int64($0.rawValue) }) { figures.append((Target.ID(Int($0)), ProbeFigures($1))) }
        minutes.append((minute.number, figures))
        samples.append((minute.start, minute.samples))
        if minutes.count > Self.maxMinutes {
            minutes.removeFirst()
            dropped.minutes += 1
        }
        if samples.count > Self.maxSamples { samples.removeFirst() }
    }

    /// Removes everything after it was written.
    mutating func removeAll() {
        self = PendingRows()
    }

    /// What was dropped, in words; nil if nothing was.
    var dropText: String? { Self.text(events: dropped.events, minutes: dropped.minutes) }

    /// What was dropped or waits, in words; nil if there is nothing.
    var lossText: String? {
        Self.text(events: dropped.events + events.count, minutes: dropped.minutes + minutes.count)
    }

    private static func text(events: Int, minutes: Int) -> String? {
        let parts = [
            events > 0 ? "\(events) event\(events == 1 ? "" : "s")" : nil,
            minutes > 0 ? "the figures of \(minutes) minute\(minutes == 1 ? "" : "s")" : nil,
        ]
        let text = parts.compactMap(\.self).joined(separator: " and ")
        return text.isEmpty ? nil : text
    }
}
