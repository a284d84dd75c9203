import Foundation
package import ReachMonitoring

/// The first line of a file about an incident; ``HistoryRecord``s follow. The keys are stable: they are only ever added to.
package struct IncidentHeader: Sendable, Hashable, Codable {
    /// A target of the settings, in their order.
    package struct IncidentTarget: Sendable, Hashable, Codable {
        package var target: String
        package var url: String
        package var group: String?
        package var intervalSeconds: Double
        package var timeoutSeconds: Double
        package var slowSeconds: Double?

        package init(
            target: String,
            url: String,
            group: String?,
            interval: Duration,
            timeout: Duration,
            slow: Duration?
        ) {
            (self.target, self.url, self.group) = (target, url, group)
            (intervalSeconds, timeoutSeconds) = (interval.millisecondPrecision, timeout.millisecondPrecision)
            slowSeconds = slow?.millisecondPrecision
        }

        enum CodingKeys: String, CodingKey {
            case target, url, group
            case intervalSeconds = "interval_seconds"
            case timeoutSeconds = "timeout_seconds"
            case slowSeconds = "slow_seconds"
        }
    }

    /// An offset of local time from UTC, from a time on.
    package struct Zone: Sendable, Hashable, Codable {
        /// When it begins; nil for the first one.
        package var time: String?
        package var offsetSeconds: Double

        enum CodingKeys: String, CodingKey {
            case time
            case offsetSeconds = "offset_seconds"
        }
    }

    /// Always `incident`.
    package private(set) var type = "incident"
    /// The version of the format.
    package private(set) var version = Self.currentVersion
    /// The version of reach that wrote the file.
    package var reach: String
    /// The time of the incident, and the period of the file, in UTC.
    package var time: String
    package var from: String
    package var until: String
    /// The number of the records that follow, by which a truncated file is recognized.
    package var records: Int
    /// The local time of the machine that wrote the file.
    package var zone: [Zone]
    package var targets: [IncidentTarget]

    package static let currentVersion = 1

    /// Creates the header of a period. All times are since 1970.
    package init(
        at time: Duration,
        in range: ClosedRange<Duration>,
        of targets: [IncidentTarget],
        zone: ZoneOffsets,
        records: Int,
        version: String
    ) {
        (reach, self.records) = (version, records)
        (self.time, from, until) = (
            HistoryRecord.text(time), HistoryRecord.text(range.lowerBound), HistoryRecord.text(range.upperBound)
        )
        self.targets = targets
        self.zone = zone.periods(in: range).map { start, offset in
            Zone(time: start.map(HistoryRecord.text), offsetSeconds: offset.inSeconds)
        }
    }

    /// Reads a line; nil if it is not a header of any version.
    package init?(json: String) {
        guard let header = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)), header.type == "incident" else {
            return nil
        }
        self = header
    }

    /// The version of the format of a line; nil if it is no header.
    package static func version(ofLine json: String) -> Int? {
        struct Version: Decodable {
            let type: String
            let version: Int
        }
        let line = try? JSONDecoder().decode(Version.self, from: Data(json.utf8))
        return line.flatMap { $0.type == "incident" ? $0.version : nil }
    }

    /// The time of the incident and the period of the file, since 1970; nil if they are no times, or in the wrong order.
    package var times: (time: Duration, range: ClosedRange<Duration>)? {
        guard let time = HistoryRecord.instant(time), let from = HistoryRecord.instant(from),
            let until = HistoryRecord.instant(until), from <= time, time <= until
        else { return nil }
        return (time, from...until)
    }

    /// The offsets of local time.
    package var offsets: ZoneOffsets {
        let longest = 86_400.0
        let all = zone.filter { abs($0.offsetSeconds) < longest }
        let changes = all.compactMap { zone in
            zone.time.flatMap(HistoryRecord.instant).map {
                ZoneOffsets.Change(at: $0, to: .seconds(zone.offsetSeconds))
            }
        }
        let first = all.first { $0.time == nil }?.offsetSeconds ?? 0
        return ZoneOffsets(.seconds(first), changes: changes.sorted { $0.time < $1.time })
    }
}
