import AsyncAlgorithms
import Dispatch
import LibC
import Monitoring

/// The service manager that started the program: systemd or a compatible one. It is notified when the program is ready, of
/// its status, and, with a watchdog, regularly that the event loop is running.
struct Supervisor: Sendable {
    private let socket: NotifySocket
    /// The interval of heartbeats: half the watchdog timeout, as sd_watchdog_enabled(3) recommends, and at most one second,
    /// so that the status text of the unit is current.
    let interval: Duration
    private let hasWatchdog: Bool
    private var status = ""
    /// The lines that could not be sent yet.
    private var unsent: [String] = []

    /// Creates the service manager that the environment names; nil if there is none.
    ///
    /// - Parameter process: The ID of this process; the watchdog may be for another one.
    init?(environment: [String: String], process: Int32) {
        guard let name = environment["NOTIFY_SOCKET"], let socket = NotifySocket(name) else { return nil }
        self.socket = socket
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        hasWatchdog = isOurs && limit != nil
        // At most a hundred heartbeats a second, for any value in the environment.
        let half = hasWatchdog ? .microseconds((limit ?? 0) / 2) : Duration.seconds(1)
        interval = min(max(half, .milliseconds(10)), .seconds(1))
    }

    /// Yields when a heartbeat is due; never without a service manager.
    static func ticks(of supervisor: Supervisor?) -> AsyncStream<Void> {
        guard let interval = supervisor?.interval else { return AsyncStream { $0.finish() } }
        // Missed ticks are not repeated: only the current state of the loop matters.
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                for await _ in AsyncTimerSequence(interval: interval, clock: .suspending) { continuation.yield() }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Removes the variables of the service manager, so that hook commands do not send notifications themselves.
    static func hideFromChildren() {
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
    }

    /// Reports that the program is ready, with the status of the targets.
    mutating func ready(_ roster: Roster) {
        status = Self.status(of: roster)
        send(["READY=1", "STATUS=\(status)"])
    }

    /// Reports that a reload has begun at `now`, a time of `CLOCK_MONOTONIC`.
    mutating func reloading(at now: Duration) {
        send(["RELOADING=1", "MONOTONIC_USEC=\(now.nanoseconds / 1_000)"])
    }

    /// Reports that the program is exiting.
    mutating func stopping() {
        send(["STOPPING=1", "STATUS=ending"])
    }

    /// Sends a heartbeat, and the status of the targets if it has changed.
    mutating func sendHeartbeat(_ roster: Roster) {
        let now = Self.status(of: roster)
        send((hasWatchdog ? ["WATCHDOG=1"] : []) + (now == status ? [] : ["STATUS=\(now)"]))
        status = now
    }

    private mutating func send(_ lines: [String]) {
        // A heartbeat is not repeated later; all other lines are.
        let message = unsent + lines
        guard !message.isEmpty else { return }
        unsent = socket.send(message) ? [] : message.filter { $0 != "WATCHDOG=1" }.suffix(8)
    }

    /// The number of targets in each health: `5 targets: 3 up, 1 degraded, 1 down`.
    static func status(of roster: Roster) -> String {
        var counts: [Health: Int] = [:]
        for state in roster.states { counts[state.health, default: 0] += 1 }
        let parts = [Health.up, .degraded, .down, .unknown].compactMap { health in
            counts[health].map { "\($0) \(health.rawValue)" }
        }
        let total = roster.states.count == 1 ? "1 target" : "\(roster.states.count) targets"
        return parts.isEmpty ? total : "\(total): \(parts.joined(separator: ", "))"
    }

    /// The time of `CLOCK_MONOTONIC`, by which service managers order notifications. On Linux, Dispatch uses this clock.
    static var monotonicTime: Duration {
        .nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds))
    }
}
