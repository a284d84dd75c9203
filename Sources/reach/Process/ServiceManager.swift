import AsyncAlgorithms
import Dispatch
import ReachMonitoring
import ReachSystem

/// The service manager that started the program: systemd or a compatible one. It is notified when the program is ready, of
/// its status, and, with a watchdog, regularly that the event loop is running.
struct ServiceManager: Sendable {
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
    static func ticks(of serviceManager: ServiceManager?) -> AsyncStream<Void> {
        guard let interval = serviceManager?.interval else { return .finished }
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

/// The socket of a service manager that receives state notifications, one datagram per message (sd_notify(3)).
struct NotifySocket: Sendable {
    private let address: sockaddr_un
    private let length: socklen_t
    private let descriptor: Int32

    /// Opens a socket to a name: a path, or `@` and a name of the abstract namespace of Linux (unix(7)). Returns nil for any
    /// other name, or if no socket can be created.
    init?(_ name: String) {
        let bytes = Array(name.utf8)
        var address = sockaddr_un()
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: bytes)
            if bytes[0] == UInt8(ascii: "@") { path[0] = 0 }
        }
        self.address = address
        // An abstract name has no terminating null: the length of the address ends it.
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        let prefix = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        length = socklen_t(prefix + bytes.count + (isAbstract ? 0 : 1))
        #if canImport(Glibc)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        // Hook commands must not inherit the socket.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Sends variable assignments, one per line, without blocking. Returns false if the manager does not read.
    func send(_ lines: [String]) -> Bool {
        let message = Array(lines.joined(separator: "\n").utf8)
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                sendto(descriptor, message, message.count, Int32(MSG_DONTWAIT), pointer, length) == message.count
            }
        }
    }
}
