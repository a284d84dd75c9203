import Foundation
import ReachMonitoring
import ReachSystem
import Synchronization

/// The program time: the time since the start. It continues while the machine is suspended, so that a suspension shows as a
/// gap.
struct ProgramTime: Sendable {
    private let start = ContinuousClock.now

    /// The time since the start.
    var now: Duration {
        start.duration(to: .now)
    }

    /// The wall time of the start, computed from the current time: it follows a clock that is set, and daylight saving time.
    var wall: WallTime {
        let unix = Date().timeIntervalSince1970
        return WallTime(start: .seconds(unix) - now, zone: Self.zone(at: Int64(unix)))
    }

    /// The offsets of local time around a time, read again each hour: the past of the screen, and the next day.
    private static func zone(at time: Int64) -> ZoneOffsets {
        recentZone.withLock { recent in
            if recent?.hour != time / 3_600 {
                recent = (
                    time / 3_600, offsets(from: time - HistoryRequest.span.components.seconds, until: time + 86_400)
                )
            }
            return recent?.zone ?? ZoneOffsets(.zero)
        }
    }

    private static let recentZone = Mutex<(hour: Int64, zone: ZoneOffsets)?>(nil)

    /// The offset of local time from UTC at a time, both in seconds.
    static func offset(at time: Int64) -> Int64 {
        var local = tm()
        var seconds = time_t(time)
        localtime_r(&seconds, &local)
        return Int64(local.tm_gmtoff)
    }
}
