import Foundation
package import Monitoring

extension ZoneOffsets {
    /// The years whose changes are known.
    static let years = 2_000...2_099
    private static let period = ClosedRange(uncheckedBounds: (lower: Int64(946_684_800), upper: Int64(4_102_444_800)))

    /// The zone of this machine, or the one that the environment variable TZ names.
    package static func local() -> ZoneOffsets {
        ZoneOffsets(TimeZone.current)
    }

    /// The zone with a name of the time zone database, such as `Europe/Berlin`; nil if there is none.
    package init?(named name: String) {
        // Foundation takes abbreviations for names of zones, and ignores case.
        let isName = name == "UTC" || TimeZone.knownTimeZoneIdentifiers.contains(name)
        guard isName, let zone = TimeZone(identifier: name) else { return nil }
        self.init(zone)
    }

    /// The name of a zone that is nearest to another one; nil if none is near.
    static func name(near name: String) -> String? {
        let names = TimeZone.knownTimeZoneIdentifiers + ["UTC"]
        let city = names.first { $0.lowercased().hasSuffix("/\(name.lowercased())") }
        return city ?? names.first { $0.lowercased() == name.lowercased() } ?? name.nearest(of: names)
    }

    /// Compares the offsets of successive weeks, since Foundation lists only the changes of daylight saving time.
    private init(_ zone: TimeZone) {
        let offset = { (time: Int64) in zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time))) }
        let first = offset(Self.period.lowerBound)
        var (time, present) = (Self.period.lowerBound, first)
        var changes: [Change] = []
        let week: Int64 = 7 * 86_400
        while time < Self.period.upperBound {
            let next = offset(time + week)
            if next != present {
                // The change lies in between: by bisection, to the second.
                var (low, high) = (time, time + week)
                while high - low > 1 {
                    let middle = low + (high - low) / 2
                    if offset(middle) == present { low = middle } else { high = middle }
                }
                changes.append(Change(at: .seconds(high), to: .seconds(next)))
                present = next
            }
            time += week
        }
        self.init(.seconds(first), changes: changes)
    }
}
