import Dashboard
import History
import Monitoring

extension Event {
    /// The answer to a request of the screen to read the history.
    static func history(_ answer: HistoryAnswer, _ time: ProgramTime) -> Event {
        .history(answer, time.zone(ofLast: HistoryRequest.span), at: time.now)
    }

    /// The answer if the history is off.
    static func historyOff(_ time: ProgramTime) -> Event {
        .history(.unreadable("the history is off"), time)
    }
}

extension ProgramTime {
    /// The clocks of the writer and the reader.
    var ofHistory: HistoryWriter.Time {
        HistoryWriter.Time(start: { wall.start }, now: { now })
    }

    /// The offsets of local time in a span until now, and in the day after it.
    func zone(ofLast span: Duration) -> ZoneOffsets {
        let end = wall.start + now
        return Self.offsets(from: (end - span).components.seconds, until: end.components.seconds + 86_400)
    }

    /// The offsets of local time between two times.
    static func offsets(from first: Int64, until last: Int64) -> ZoneOffsets {
        var changes: [ZoneOffsets.Change] = []
        let start = offset(at: first)
        var (day, offset) = (first, start)
        while day < last {
            let next = min(last, day + 86_400)
            let new = Self.offset(at: next)
            if new != offset {
                // The second of the change, by bisection.
                var (low, high) = (day, next)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if Self.offset(at: middle) == offset { low = middle } else { high = middle }
                }
                changes.append(.init(at: .seconds(high), to: .seconds(new)))
            }
            (day, offset) = (next, new)
        }
        return ZoneOffsets(.seconds(start), changes: changes)
    }
}
