import AsyncAlgorithms
import Dispatch
import LibC
import Monitoring

/// The service manager that has started the program, systemd or one that does as it does: it is told when the program is
/// ready, what it is at, and, where it has a watchdog, again and again that the loop still goes round.
struct Supervisor: Sendable {
    private let socket: NotifySocket
    /// How often the loop is to show that it goes round: twice in the watchdog's time, as sd_watchdog_enabled(3) advises,
    /// and at least once a second, for the words beside the unit's state.
    let pace: Duration
    private let hasWatchdog: Bool
    private var status = ""
    /// What could not be sent yet.
    private var owed: [String] = []

    /// The service manager that the environment names; nil where there is none.
    ///
    /// - Parameter process: the number of this process; the watchdog may be another's.
    init?(environment: [String: String], process: Int32) {
        guard let name = environment["NOTIFY_SOCKET"], let socket = NotifySocket(name) else { return nil }
        self.socket = socket
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        hasWatchdog = isOurs && limit != nil
        // No more than a hundred times a second, whatever the environment says.
        let half = hasWatchdog ? .microseconds((limit ?? 0) / 2) : Duration.seconds(1)
        pace = min(max(half, .milliseconds(10)), .seconds(1))
    }

    /// When the loop is to show that it goes round; never where nobody wants to know.
    static func ticks(of supervisor: Supervisor?) -> AsyncStream<Void> {
        guard let pace = supervisor?.pace else { return AsyncStream { $0.finish() } }
        // One that the loop is late for is not made up for: what counts is that it goes round now.
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                for await _ in AsyncTimerSequence(interval: pace, clock: .suspending) { continuation.yield() }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Lets no command that a hook runs take itself for the program that is watched.
    static func hideFromChildren() {
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    }

    /// Says that the program does its work, with the targets that it has.
    mutating func ready(_ roster: Roster) {
        status = Self.status(of: roster)
        tell(["READY=1", "STATUS=\(status)"])
    }

    /// Says that the settings are being read again, since `now`, the time of `CLOCK_MONOTONIC`.
    mutating func reloading(at now: Duration) {
        tell(["RELOADING=1", "MONOTONIC_USEC=\(now.nanoseconds / 1_000)"])
    }

    /// Says that the program is ending.
    mutating func stopping() {
        tell(["STOPPING=1", "STATUS=ending"])
    }

    /// Says that the loop goes round, and how the targets do if that has changed.
    mutating func pat(_ roster: Roster) {
        let now = Self.status(of: roster)
        tell((hasWatchdog ? ["WATCHDOG=1"] : []) + (now == status ? [] : ["STATUS=\(now)"]))
        status = now
    }

    private mutating func tell(_ lines: [String]) {
        // A pat is worth nothing later; all else is.
        let message = owed + lines
        guard !message.isEmpty else { return }
        owed = socket.send(message) ? [] : message.filter { $0 != "WATCHDOG=1" }.suffix(8)
    }

    /// How the targets do, in a line: `5 targets: 3 up, 1 degraded, 1 down`.
    static func status(of roster: Roster) -> String {
        var counts: [Health: Int] = [:]
        for standing in roster.standings { counts[standing.health, default: 0] += 1 }
        let words = [Health.up, .degraded, .down, .unknown].compactMap { health in
            counts[health].map { "\($0) \(health.rawValue)" }
        }
        let total = roster.standings.count == 1 ? "1 target" : "\(roster.standings.count) targets"
        return words.isEmpty ? total : "\(total): \(words.joined(separator: ", "))"
    }

    /// The time of `CLOCK_MONOTONIC`, by which service managers order what they hear; Dispatch counts by it on Linux.
    static var monotonicTime: Duration {
        .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds))
    }
}
