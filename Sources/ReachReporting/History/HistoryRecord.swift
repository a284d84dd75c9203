import Foundation
package import ReachMonitoring

/// A line of an export of the history: a JSON object. The keys are stable: they are only ever added to.
///
/// Times are in UTC, durations in seconds. A line may refer to targets and runs of lines before it, by their numbers.
package struct HistoryRecord: Sendable, Hashable, Codable {
    /// What a line is.
    package enum RecordType: String, Sendable, Hashable, Codable {
        /// A target: `id`, `target`, `url`, `group`.
        case target
        /// A run of the program: `id`, `source`, `version`, `time`, `seen`, `until`.
        case run
        /// An event of a run, of a target or of the program.
        case event
        /// The probes of a target in a minute.
        case minute
        /// The probes of a target in an hour, where the minutes are not kept any more.
        case hour
    }

    package var type: RecordType
    package var id: Int64?
    package var target: String?
    package var url: String?
    package var group: String?
    package var source: String?
    package var version: String?
    /// The number of the target that an event, minute or hour is about.
    package var of: Int64?
    /// The number of the run of an event.
    package var run: Int64?
    package var time: String?
    package var until: String?
    /// When a run wrote something last.
    package var seen: String?
    package var kind: String?
    package var from: String?
    package var to: String?
    package var since: String?
    package var reason: String?
    package var detail: String?
    /// Lines below the detail of an event: the response of a server, the output of a hook.
    package var output: String?
    package var seconds: Double?
    package var success: Bool?
    package var sent: Int?
    package var lost: Int?
    package var p50Seconds: Double?
    package var p95Seconds: Double?
    package var p99Seconds: Double?
    package var maxSeconds: Double?

    enum CodingKeys: String, CodingKey {
        case type, id, target, url, group, source, version, of, run, time, until, seen, kind, from, to, since, reason,
            detail, output,
            seconds, success, sent, lost
        case p50Seconds = "p50_seconds"
        case p95Seconds = "p95_seconds"
        case p99Seconds = "p99_seconds"
        case maxSeconds = "max_seconds"
    }

    package init(_ type: RecordType) {
        self.type = type
    }

    /// Reads a line; nil if it is not a record.
    package init?(json: String) {
        guard let record = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = record
    }

    // MARK: Stored records

    /// The line of a record.
    package init(_ record: StoredRecord) {
        switch record {
        case .target(let id, let name, let url, let group):
            self.init(.target)
            (self.id, target, self.url, self.group) = (id, name, url, group)
        case .run(let id, let source, let version, let start, let seen, let end):
            self.init(.run)
            (self.id, self.source, self.version) = (id, source, version)
            (time, self.seen, until) = (Self.text(start), Self.text(seen), end.map(Self.text))
        case .event(let event, let target, let run):
            self.init(.event)
            (of, self.run, kind) = (target, run, event.kind.rawValue)
            (time, since) = (Self.text(event.time), event.since.map(Self.text))
            (from, to) = (event.from?.rawValue, event.to?.rawValue)
            (reason, detail, output, success) = (event.reason, event.detail, event.output, event.isSuccess)
            seconds = event.length?.millisecondPrecision
        case .minute(let figures, let target, let number):
            self.init(.minute, figures, of: target, at: .seconds(number * 60))
        case .hour(let figures, let target, let number):
            self.init(.hour, figures, of: target, at: .seconds(number * 3_600))
        }
    }

    private init(_ type: RecordType, _ figures: ProbeFigures, of target: Int64, at time: Duration) {
        self.init(type)
        (of, self.time) = (target, Self.text(time))
        (sent, lost) = (figures.sent, figures.lost)
        guard let roundTrips = figures.roundTrips else { return }
        let seconds = { (bucket: RoundTripBucket) in Double(bucket.nanoseconds) / 1e9 }
        (p50Seconds, p95Seconds) = (seconds(roundTrips.p50), seconds(roundTrips.p95))
        (p99Seconds, maxSeconds) = (seconds(roundTrips.p99), seconds(roundTrips.longest))
    }

    /// What is wrong with a value of the line; nil if each can be stored.
    package var problem: String? {
        for (key, text) in [("time", time), ("until", until), ("seen", seen), ("since", since)] {
            if let text, Self.instant(text) == nil {
                return "\(key) \(text.printable): not a time in UTC from 1970 to 9999"
            }
        }
        for (key, text) in [("from", from), ("to", to)] {
            if let text, Health(rawValue: text) == nil {
                return "\(key) \(text.printable): not unknown, up, degraded or down"
            }
        }
        if let problem = orderProblem { return problem }
        let lowest = kind == HistoryEvent.Kind.clock.rawValue ? -1e12 : 0
        for (key, value, range) in [
            ("seconds", seconds, lowest...1e12), ("p50_seconds", p50Seconds, 0...1e6),
            ("p95_seconds", p95Seconds, 0...1e6), ("p99_seconds", p99Seconds, 0...1e6),
            ("max_seconds", maxSeconds, 0...1e6),
        ] {
            if let value, !range.contains(value) {
                return "\(key) \(value): \(value < range.lowerBound ? "negative" : "too long")"
            }
        }
        let percentiles = [
            ("p50_seconds", p50Seconds), ("p95_seconds", p95Seconds), ("p99_seconds", p99Seconds),
            ("max_seconds", maxSeconds),
        ].compactMap { key, value in value.map { (key: key, value: $0) } }
        for (shorter, longer) in zip(percentiles, percentiles.dropFirst()) where shorter.value > longer.value {
            return "\(longer.key) \(longer.value): less than \(shorter.key)"
        }
        if let longer = percentiles.first, p50Seconds == nil {
            return "\(longer.key) without p50_seconds: the median is needed"
        }
        if let sent, let lost, !(0...1 << 32).contains(sent) || !(0...sent).contains(lost) {
            return "\(lost) of \(sent) probes lost: impossible"
        }
        return nil
    }

    /// Which time is before one that it follows, or after one that it precedes; nil if none is.
    private var orderProblem: String? {
        // The clock may have been set back by less than a second.
        let tolerance = Duration.seconds(1)
        guard let time = time.flatMap(Self.instant) else { return nil }
        if type == .run {
            for (key, text) in [("until", until), ("seen", seen)] {
                if let text, let end = Self.instant(text), end < time - tolerance {
                    return "\(key) \(text.printable): before time"
                }
            }
        }
        if let since, let start = Self.instant(since), start > time + tolerance {
            return "since \(since.printable): after time"
        }
        return nil
    }

    /// The record of the line; nil if a part is missing or invalid.
    package var stored: StoredRecord? {
        guard problem == nil else { return nil }
        let start = time.flatMap(Self.instant)
        switch type {
        case .target:
            guard let id, let target, let url else { return nil }
            return .target(id: id, name: target, url: url, group: group)
        case .run:
            guard let id, let source, let version, let start, let seen = seen.flatMap(Self.instant) else { return nil }
            let end = until.flatMap(Self.instant)
            return .run(id: id, source: source, version: version, start: start, seen: seen, end: end)
        case .event:
            guard let event, let run else { return nil }
            return .event(event, target: of, run: run)
        case .minute:
            guard let figures, let of, let start else { return nil }
            return .minute(figures, target: of, number: start.components.seconds / 60)
        case .hour:
            guard let figures, let of, let start else { return nil }
            return .hour(figures, target: of, number: start.components.seconds / 3_600)
        }
    }

    private var event: HistoryEvent? {
        guard let time = time.flatMap(Self.instant), let kind = kind.flatMap({ HistoryEvent.Kind(rawValue: $0) }) else {
            return nil
        }
        return HistoryEvent(
            kind,
            at: time,
            from: from.flatMap { Health(rawValue: $0) },
            to: to.flatMap { Health(rawValue: $0) },
            since: since.flatMap(Self.instant),
            reason: reason,
            detail: detail,
            output: output,
            length: seconds.flatMap { $0.magnitude < 1e12 ? .milliseconds(Int64(($0 * 1_000).rounded())) : nil },
            isSuccess: success
        )
    }

    private var figures: ProbeFigures? {
        guard let sent, let lost, (0...1 << 32).contains(sent), (0...sent).contains(lost) else { return nil }
        var figures = ProbeFigures(sent: sent, lost: lost)
        // A longer percentile that is missing is the next one that is known, or the next shorter one.
        guard let p50 = p50Seconds else { return figures }
        let p95 = p95Seconds ?? p99Seconds ?? maxSeconds ?? p50
        let p99 = p99Seconds ?? maxSeconds ?? p95
        let longest = maxSeconds ?? p99
        guard [p50, p95, p99, longest].allSatisfy({ (0...1e6).contains($0) }) else { return figures }
        let bucket = { (seconds: Double) in RoundTripBucket(Duration.seconds(seconds)) }
        figures.roundTrips = .init(p50: bucket(p50), p95: bucket(p95), p99: bucket(p99), longest: bucket(longest))
        return figures
    }

    /// The notation of a time since 1970: UTC, with milliseconds.
    static func text(_ time: Duration) -> String {
        WallTime(start: .zero).timestamp(at: time)
    }

    /// The time of its notation; nil for another text.
    static func instant(_ text: String) -> Duration? {
        guard let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text),
            // Until the year 9999.
            (0..<253_402_300_800).contains(date.timeIntervalSince1970)
        else { return nil }
        let time = Duration.milliseconds(Int64((date.timeIntervalSince1970 * 1_000).rounded()))
        // The parser takes days that a month lacks for days of the next one.
        return Self.text(time).prefix(10) == text.prefix(10) ? time : nil
    }
}
