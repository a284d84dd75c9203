import Logging
import NIOCore
import ReachMonitoring

/// A watch for changes of this machine's network: notified by the kernel on Linux, polling every second elsewhere.
/// Confined to its event loop. With several event loops, one of them listens, and the watches of the others follow it.
final class LinkWatch {
    /// A change of the network.
    enum Event: Sendable {
        /// Links, addresses or routes have changed; the network is the new state.
        case changed(LocalNetwork)
        /// An outbound link or route is new.
        case cameBack
        /// A silent target has replied: its host is there, and other targets on it may be.
        case answered(IPAddress)
        /// Whether any outbound link or route exists; reported at the start, and when it changes.
        case outboundRoute(exists: Bool)
    }

    /// The polling interval on systems without notifications.
    static let pollInterval = Duration.seconds(1)

    /// The minimum time between two checks after failed sends.
    private static let minCheckInterval = Duration.milliseconds(20)

    private enum ListeningState {
        /// Not started, or closed.
        case none
        /// Waiting to listen again.
        case restarting
        #if os(Linux)
        case listening(NetlinkSocket)
        #endif
        case polling
        /// Notified by a watch that listens.
        case following
    }

    private let loop: any EventLoop
    private let isFollower: Bool
    private let logger: Logger
    private let time: () -> Duration
    private let wake: () -> Void
    private let report: (Event) -> Void
    private var state = ListeningState.none
    private var network: LocalNetwork?
    /// The last reported value of whether an outbound link or route exists; nil if unknown.
    private(set) var reportedOutboundRoute: Bool?
    private var lastCheck: Duration?
    /// A check takes a few system calls, and may cause probes of many targets. A tenth of a second is soon enough while
    /// routes change constantly.
    private var checks = Debounce(pause: .milliseconds(20) ... .milliseconds(100))
    /// A link returns in steps: the carrier, the addresses, the routes. All targets are probed after the last step.
    private var returns = Debounce(delay: .milliseconds(50), pause: .seconds(1) ... .seconds(1))

    /// - Parameters:
    ///   - isFollower: whether another watch listens for this one.
    ///   - wake: called when ``nextCheck`` has become sooner.
    ///   - report: called with the events of ``check(at:)``.
    init(
        loop: any EventLoop,
        isFollower: Bool = false,
        logger: Logger,
        time: @escaping () -> Duration,
        wake: @escaping () -> Void,
        report: @escaping (Event) -> Void
    ) {
        self.loop = loop
        self.isFollower = isFollower
        self.logger = logger
        self.time = time
        self.wake = wake
        self.report = report
    }

    /// When to call ``check(at:)``; nil while there is no notification.
    var nextCheck: Duration? {
        [checks.due, returns.due].compactMap(\.self).min()
    }

    /// Starts the watch, unless it has started.
    func start() {
        guard case .none = state else { return }
        if isFollower {
            state = .following
            reportedOutboundRoute = true
            checkNow(at: time())
            return
        }
        // Listening comes first: a change between the two would be missed.
        listen()
        network = try? LocalNetwork.read()
        reportOutboundRoute()
    }

    /// Checks the network if it is due, and reports changes.
    func check(at now: Duration) {
        if checks.fire(at: now) { check() }
        if returns.fire(at: now) {
            reportOutboundRoute()
            report(.cameBack)
        }
    }

    /// Checks at once whether an outbound link or route still exists: a probe could not be sent, and the kernel's
    /// notification may still be in flight.
    func checkNow(at now: Duration) {
        guard reportedOutboundRoute == true, lastCheck.map({ now - $0 > Self.minCheckInterval }) ?? true else { return }
        lastCheck = now
        guard let network = try? LocalNetwork.read(), network.outboundInterface == nil else { return }
        reportedOutboundRoute = false
        report(.outboundRoute(exists: false))
    }

    /// Handles an event of another watch.
    func receiveRelayed(_ event: Event) {
        guard case .outboundRoute(let exists) = event else { return }
        reportedOutboundRoute = exists
        guard !isFollower else { return }
        // The event may be outdated, and this watch may have reported another value at the same moment. Therefore it
        // checks, and reports the result in any case.
        reportedOutboundRoute = nil
        notify()
    }

    /// Stops the watch.
    func close() {
        #if os(Linux)
        if case .listening(let socket) = state {
            state = .none
            socket.close()
        }
        #endif
        state = .none
        checks = Debounce(pause: .zero ... .zero)
        returns = checks
    }

    private func check() {
        var isNotified = true
        switch state {
        case .restarting:
            listen()
        case .polling:
            checks.notify(at: time() + Self.pollInterval)
            isNotified = false
        default:
            break
        }
        let before = network
        guard let after = try? LocalNetwork.read() else { return }
        network = after
        // Routes that matter to single targets only are not visible here.
        if isNotified || after != before { report(.changed(after)) }
        if let before, OutboundRoutes(of: after).isBetter(than: OutboundRoutes(of: before)) {
            logger.debug("outbound route available again")
            returns.notify(at: time())
        }
        // A returned outbound route is reported after the last step of its return.
        if after.outboundInterface == nil || returns.due == nil { reportOutboundRoute() }
    }

    private func reportOutboundRoute() {
        guard let network, reportedOutboundRoute != (network.outboundInterface != nil) else { return }
        reportedOutboundRoute = network.outboundInterface != nil
        report(.outboundRoute(exists: network.outboundInterface != nil))
    }

    private func notify() {
        checks.notify(at: time())
        wake()
    }

    private func listen() {
        #if os(Linux)
        do {
            state = .listening(
                try NetlinkSocket.open(
                    on: loop,
                    groups: NetlinkSocket.network,
                    receive: { [weak self] in if !NetworkMessages(reading: $0).isEmpty { self?.notify() } },
                    ended: { [weak self] in self?.endedListening() }
                )
            )
        } catch {
            logger.warning("no link notifications: polling every second", metadata: ["detail": "\(error.detail)"])
            poll()
        }
        #else
        poll()
        #endif
    }

    private func poll() {
        state = .polling
        checks.notify(at: time() + Self.pollInterval)
    }

    /// Handles an overflow of the kernel's notifications: anything may have changed.
    private func endedListening() {
        #if os(Linux)
        guard case .listening = state else { return }
        // The next check listens again. At once would be too often while the kernel has many notifications.
        state = .restarting
        notify()
        #endif
    }
}

/// Debounces a series of notifications: the first passes at once, later ones with growing pauses; none is lost.
struct Debounce: Sendable, Hashable {
    /// The delay of the first notification, to collect those that belong to it.
    private let delay: Duration
    /// The pause after a single notification; it doubles while they continue.
    private let shortestPause: Duration
    private let longestPause: Duration
    private var pause: Duration
    private var last: Duration?
    /// When the pending notification passes; nil if there is none.
    private(set) var due: Duration?

    init(delay: Duration = .zero, pause: ClosedRange<Duration>) {
        self.delay = delay
        shortestPause = pause.lowerBound
        longestPause = pause.upperBound
        self.pause = pause.lowerBound
    }

    /// Records a notification.
    mutating func notify(at time: Duration) {
        guard due == nil else { return }
        due = max(time + delay, last.map { $0 + pause } ?? .zero)
    }

    /// Whether a notification passes now. Returns true once for each.
    mutating func fire(at time: Duration) -> Bool {
        guard let due, due <= time else { return false }
        let isQuiet = last.map { time - $0 > longestPause } ?? true
        pause = isQuiet ? shortestPause : min(pause * 2, longestPause)
        last = time
        self.due = nil
        return true
    }
}
