import Logging
import Monitoring
import NIOCore

/// Notices when the network of this machine changes: told by the kernel where it tells, looking every second elsewhere.
/// Confined to its event loop.
final class LinkWatch {
    /// What it has noticed.
    enum Word {
        /// Links, addresses or routes are not what they were; these are the links and addresses now.
        case changed(LocalNetwork)
        /// Something leads out that did not before.
        case cameBack
    }

    /// The time from one look to the next where nobody tells.
    static let pollInterval = Duration.seconds(1)

    private enum Ears {
        /// Not started, or closed.
        case none
        /// About to listen again.
        case deaf
        #if os(Linux)
            case listening(NetlinkSocket)
        #endif
        case polling
    }

    private let loop: any EventLoop
    private let logger: Logger
    private let time: () -> Duration
    private let wake: () -> Void
    private let tell: (Word) -> Void
    private var ears = Ears.none
    private var network: LocalNetwork?
    /// Looking takes a few system calls, and every look may ask many targets; a tenth of a second is soon enough where
    /// routes come and go all the time.
    private var looks = Damper(pause: .milliseconds(20) ... .milliseconds(100))
    /// A link comes back in steps: the carrier, the addresses, the routes. All targets are asked after the last of them.
    private var returns = Damper(delay: .milliseconds(50), pause: .seconds(1) ... .seconds(1))

    /// - Parameters:
    ///   - wake: is called when ``nextLook`` has become sooner.
    ///   - tell: is told what ``look(at:)`` has noticed.
    init(
        loop: any EventLoop,
        logger: Logger,
        time: @escaping () -> Duration,
        wake: @escaping () -> Void,
        tell: @escaping (Word) -> Void
    ) {
        self.loop = loop
        self.logger = logger
        self.time = time
        self.wake = wake
        self.tell = tell
    }

    /// When to look, or to tell, next; nil while nothing has happened.
    var nextLook: Duration? {
        [looks.due, returns.due].compactMap(\.self).min()
    }

    /// Begins, unless it has begun.
    func start() {
        guard case .none = ears else { return }
        // Listening comes first, or what changes in between would be missed.
        listen()
        network = try? LocalNetwork.read()
    }

    /// Looks, if it is time to, and tells what is new.
    func look(at now: Duration) {
        if looks.take(at: now) { look() }
        if returns.take(at: now) { tell(.cameBack) }
    }

    /// Notices nothing any more.
    func close() {
        #if os(Linux)
            if case .listening(let socket) = ears {
                ears = .none
                socket.close()
            }
        #endif
        ears = .none
        looks = Damper(pause: .zero ... .zero)
        returns = looks
    }

    private func look() {
        var isTold = true
        switch ears {
        case .deaf:
            listen()
        case .polling:
            looks.ring(at: time() + Self.pollInterval)
            isTold = false
        default:
            break
        }
        let before = network
        guard let after = try? LocalNetwork.read() else { return }
        network = after
        // Of the routes that matter to some targets only, nothing is seen here.
        if isTold || after != before { tell(.changed(after)) }
        guard let before, WayOut(of: after).isBetter(than: WayOut(of: before)) else { return }
        logger.debug("the network is back")
        returns.ring(at: time())
    }

    private func ring() {
        looks.ring(at: time())
        wake()
    }

    private func listen() {
        #if os(Linux)
            do {
                ears = .listening(
                    try NetlinkSocket.open(
                        on: loop,
                        hear: { [weak self] _ in self?.ring() },
                        ended: { [weak self] in self?.endedListening() }
                    )
                )
            } catch {
                logger.warning("no news of links, looking every second", metadata: ["detail": "\(error.detail)"])
                poll()
            }
        #else
            poll()
        #endif
    }

    private func poll() {
        ears = .polling
        looks.ring(at: time() + Self.pollInterval)
    }

    /// The kernel had more to tell than it could keep for us: anything may have changed.
    private func endedListening() {
        #if os(Linux)
            guard case .listening = ears else { return }
            // It listens again with the next look: at once would be too often while the kernel has too much to tell.
            ears = .deaf
            ring()
        #endif
    }
}
