public import Logging
import Monitoring
public import NIOCore
import NIOPosix
import Probing
import Synchronization

/// What asks the network on behalf of any number of questions: one event loop, one clock.
///
/// Everything in this module asks by ``shared`` unless it is given another. Nothing runs, and no socket is open, while
/// nobody wants to know anything.
public final class Prober: Sendable {
    /// The one that everybody uses who has no reason to have another: on SwiftNIO's shared event loops, silent, by a
    /// clock that runs on while the machine sleeps.
    public static let shared = Prober()

    /// The clock by which probes are timed and patience is measured.
    public let clock: any Clock<Duration>
    private let now: @Sendable () -> Duration
    private let makeAsker: @Sendable (_ now: @escaping @Sendable () -> Duration) -> any Asker
    private let state = Mutex(State())

    private struct State {
        /// Asks while anybody wants to know anything.
        var asker: (any Asker)?
        var ears: [Int: @Sendable ([Finding]) -> Void] = [:]
        var watches = 0
        /// The last word on whether anything leads out of this machine, for whoever comes later.
        var link: Finding?
    }

    /// A prober that asks nobody yet.
    ///
    /// - Parameters:
    ///   - eventLoopGroup: whose event loops its sockets live on; SwiftNIO's shared ones unless given. It must outlive
    ///     the prober.
    ///   - clock: what times probes and measures patience. Deadlines of the sockets follow the event loop's own time.
    ///   - logger: for those who look for a mistake; silent unless given.
    public convenience init(
        eventLoopGroup: (any EventLoopGroup)? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "reach") { _ in SwiftLogNoOpLogHandler() }
    ) {
        let group = eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
        self.init(clock: clock) { ProbeEngine(now: $0, logger: logger, loop: group.next()) }
    }

    /// A prober that has the network asked by whatever this makes.
    init(
        clock: some Clock<Duration>,
        asker: @escaping @Sendable (_ now: @escaping @Sendable () -> Duration) -> any Asker
    ) {
        self.clock = clock
        let start = clock.now
        now = { start.duration(to: clock.now) }
        makeAsker = asker
    }

    /// The time since the prober was made, which its findings carry.
    var time: Duration { now() }

    /// Has targets asked, and tells what is found until the watch ends.
    ///
    /// - Parameter hear: is told batches of findings of these targets, one after the other and on no thread in particular.
    func watch(hear: @escaping @Sendable ([Finding]) -> Void) -> ProberWatch {
        let (number, fresh, link) = state.withLock { state -> (Int, (any Asker)?, Finding?) in
            state.watches += 1
            state.ears[state.watches] = hear
            guard state.asker == nil else { return (state.watches, nil, state.link) }
            let asker = makeAsker(now)
            (state.asker, state.link) = (asker, nil)
            return (state.watches, asker, nil)
        }
        if let fresh { Task { await listen(to: fresh) } }
        if let link { hear([link]) }
        return ProberWatch(number: number, prober: self)
    }

    /// Has the network asked for something.
    func perform(_ requests: [ProbeRequest]) {
        let asker = state.withLock { $0.asker }
        for request in requests { asker?.perform(request) }
    }

    /// Nobody wants to know any more what these targets do; the last one to leave closes the sockets.
    func end(_ number: Int, asking ids: [Target.ID]) {
        let (rest, last) = state.withLock { state -> ((any Asker)?, (any Asker)?) in
            guard state.ears.removeValue(forKey: number) != nil else { return (nil, nil) }
            guard state.ears.isEmpty else { return (state.asker, nil) }
            defer { state.asker = nil }
            return (nil, state.asker)
        }
        rest?.perform(.forget(ids))
        if let last { Task { await last.shutdown() } }
    }

    private func listen(to asker: some Asker) async {
        for await findings in asker.batches {
            let ears = state.withLock { state in
                for case .link(let isUp, let time) in findings { state.link = .link(isUp: isUp, at: time) }
                return state.ears
            }
            for (number, batch) in Self.sort(findings, among: ears.keys) { ears[number]?(batch) }
        }
    }

    /// Each watch's findings; what concerns all is everybody's.
    static func sort(_ findings: [Finding], among watches: some Collection<Int>) -> [(Int, [Finding])] {
        var batches: [Int: [Finding]] = [:]
        for finding in findings {
            if let id = finding.target {
                batches[ProberWatch.number(of: id), default: []].append(finding)
            } else {
                for watch in watches { batches[watch, default: []].append(finding) }
            }
        }
        return batches.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
