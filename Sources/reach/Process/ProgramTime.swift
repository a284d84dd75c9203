import Foundation
import LibC
import Monitoring

/// The program's own time: how long it has run. It runs on while the machine sleeps, so that a sleep shows as a gap.
struct ProgramTime: Sendable {
    private let start = ContinuousClock.now

    /// The time since the start.
    var now: Duration {
        start.duration(to: .now)
    }

    /// The wall time of the start, seen from now: it follows a clock that is set, and a change to summer time.
    var wall: WallTime {
        let unix = Date().timeIntervalSince1970
        var local = tm()
        var seconds = time_t(unix)
        localtime_r(&seconds, &local)
        return WallTime(start: .seconds(unix) - now, offset: .seconds(Int64(local.tm_gmtoff)))
    }
}
