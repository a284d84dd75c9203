public import Logging
import Monitoring
public import NIOCore
import NIOPosix
public import Probing
import Synchronization

/// What asks the network on behalf of any number of questions: one engine, one clock.
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
    /// Sleeps until a time of this prober's, by its clock.
    let rest: @Sendable (_ time: Duration) async throws -> Void
    private let makeAsker: @Sendable (_ now: @escaping @Sendable () -> Duration) -> any Asker
    private let state = Mutex(State())

    private struct State {
        /// Asks while anybody wants to know anything.
        var asker: (any Asker)?
        var ears: [Int: @Sendable ([Finding]) -> Void] = [:]
        var watches = 0
        /// Closes what earlier watches have left.
        var closing: Task<Void, Never>?
        /// The last word on whether anything leads out of this machine, for whoever comes later.
        var link: Finding?
    }

    /// A prober that asks nobody yet.
    ///
    /// - Parameters:
    ///   - eventLoopGroup: whose event loops its sockets live on; SwiftNIO's shared ones unless given. It must outlive
    ///     the prober.
    ///   - clock: what times probes and measures patience. Deadlines of the sockets follow the event loops' own time.
    ///   - logger: for those who look for a mistake; silent unless given.
    ///   - runCommand: what runs the commands of targets such as `exec:./test.sh`, which cannot be asked without it.
    public convenience init(
        eventLoopGroup: (any EventLoopGroup)? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "reach") { _ in SwiftLogNoOpLogHandler() },
        runCommand: CommandRunner? = nil
    ) {
        let group = eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
        self.init(clock: clock) {
            ProbeEngine(now: $0, logger: logger, runCommand: runCommand, group: group)
        }
    }

    /// A prober that has the network asked by whatever this makes.
    init(
        clock: some Clock<Duration>,
        asker: @escaping @Sendable (_ now: @escaping @Sendable () -> Duration) -> any Asker
    ) {
        self.clock = clock
        let start = clock.now
        now = { start.duration(to: clock.now) }
        rest = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        makeAsker = asker
    }

    /// The time since the prober was made, which all that it finds carries.
    public var time: Duration { now() }

    /// Has targets asked, and tells what is found until the watch ends.
    ///
    /// - Parameter hear: is told batches of findings of these targets, one after the other and on no thread in particular.
    func watch(hear: @escaping @Sendable ([Finding]) -> Void) -> ProberWatch {
        let watch = reserve()
        if let link = begin(watch, hear: hear) { hear([link]) }
        return watch
    }

    /// A watch that has yet to begin, for those who begin and end the same one again and again.
    func reserve() -> ProberWatch {
        state.withLock { state in
            state.watches += 1
            return ProberWatch(number: state.watches, prober: self)
        }
    }

    /// Begins a watch that was reserved, or that has ended.
    ///
    /// - Returns: what was said last of whether anything leads out of this machine, which is not told again.
    func begin(_ watch: ProberWatch, hear: @escaping @Sendable ([Finding]) -> Void) -> Finding? {
        let (fresh, link) = state.withLock { state -> ((any Asker)?, Finding?) in
            state.ears[watch.number] = hear
            guard state.asker == nil else { return (nil, state.link) }
            let asker = makeAsker(now)
            (state.asker, state.link) = (asker, nil)
            return (asker, nil)
        }
        if let fresh { Task { await listen(to: fresh) } }
        return link
    }

    /// Has the network asked for something.
    func perform(_ requests: [ProbeRequest]) {
        let asker = state.withLock { $0.asker }
        for request in requests { asker?.perform(request) }
    }

    /// Nobody wants to know any more what these targets do; the last one to leave closes the sockets.
    func end(_ number: Int, asking ids: [Target.ID]) {
        let rest = state.withLock { state -> (any Asker)? in
            guard state.ears.removeValue(forKey: number) != nil else { return nil }
            guard state.ears.isEmpty, let last = state.asker else { return state.asker }
            state.asker = nil
            state.closing = Task { [earlier = state.closing] in
                await last.shutdown()
                await earlier?.value
            }
            return nil
        }
        rest?.perform(.forget(ids))
    }

    /// Waits until all that was asked for those who want to know no more is closed: sockets, timers, commands.
    ///
    /// Nobody has to wait for it but who shuts the event loops down that the prober was given, or ends the program while
    /// commands run.
    public func closed() async {
        await state.withLock { $0.closing }?.value
    }

    private func listen(to asker: some Asker) async {
        for await findings in asker.batches {
            let ears = state.withLock { state -> [Int: @Sendable ([Finding]) -> Void] in
                // What an asker found before it was shut down is not for the watches of the next one.
                guard state.asker === asker else { return [:] }
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
