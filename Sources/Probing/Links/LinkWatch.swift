import Logging
import Monitoring
import NIOCore

/// Notices when the network of this machine changes: told by the kernel where it tells, looking every second elsewhere.
/// Confined to its event loop. Of several event loops, one listens, and the watches of the others follow it.
final class LinkWatch {
    /// What it has noticed.
    enum Word: Sendable {
        /// Links, addresses or routes are not what they were; these are the links and addresses now.
        case changed(LocalNetwork)
        /// Something leads out that did not before.
        case cameBack
        /// A target that was silent has answered: its host is there, and other targets on it may be.
        case answered(IPAddress)
        /// Something leads out of this machine at all, or nothing does; told at the start, and when it changes.
        case wayOut(isThere: Bool)
    }

    /// The time from one look to the next where nobody tells.
    static let pollInterval = Duration.seconds(1)

    /// The time from one suspicion to the next that is looked into.
    private static let suspicionPause = Duration.milliseconds(20)

    private enum Ears {
        /// Not started, or closed.
        case none
        /// About to listen again.
        case deaf
        #if os(Linux)
            case listening(NetlinkSocket)
        #endif
        case polling
        /// Told by a watch that listens.
        case following
    }

    private let loop: any EventLoop
    private let isFollower: Bool
    private let logger: Logger
    private let time: () -> Duration
    private let wake: () -> Void
    private let tell: (Word) -> Void
    private var ears = Ears.none
    private var network: LocalNetwork?
    /// What was told last of whether anything leads out; nil where that is not known.
    private(set) var isWayOutTold: Bool?
    private var lastSuspicion: Duration?
    /// Looking takes a few system calls, and every look may ask many targets; a tenth of a second is soon enough where
    /// routes come and go all the time.
    private var looks = Damper(pause: .milliseconds(20) ... .milliseconds(100))
    /// A link comes back in steps: the carrier, the addresses, the routes. All targets are asked after the last of them.
    private var returns = Damper(delay: .milliseconds(50), pause: .seconds(1) ... .seconds(1))

    /// - Parameters:
    ///   - isFollower: whether it leaves the listening to another one.
    ///   - wake: is called when ``nextLook`` has become sooner.
    ///   - tell: is told what ``look(at:)`` has noticed.
    init(
        loop: any EventLoop,
        isFollower: Bool = false,
        logger: Logger,
        time: @escaping () -> Duration,
        wake: @escaping () -> Void,
        tell: @escaping (Word) -> Void
    ) {
        self.loop = loop
        self.isFollower = isFollower
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
        if isFollower {
            ears = .following
            isWayOutTold = true
            suspect(at: time())
            return
        }
        // Listening comes first, or what changes in between would be missed.
        listen()
        network = try? LocalNetwork.read()
        tellWayOut()
    }

    /// Looks, if it is time to, and tells what is new.
    func look(at now: Duration) {
        if looks.take(at: now) { look() }
        if returns.take(at: now) {
            tellWayOut()
            tell(.cameBack)
        }
    }

    /// Looks whether there is still a way out: somebody could not send for want of one, and the kernel's news of it may
    /// be on its way still.
    func suspect(at now: Duration) {
        guard isWayOutTold == true, lastSuspicion.map({ now - $0 > Self.suspicionPause }) ?? true else { return }
        lastSuspicion = now
        guard let network = try? LocalNetwork.read(), network.exit == nil else { return }
        isWayOutTold = false
        tell(.wayOut(isThere: false))
    }

    /// Takes in what another watch has told.
    func learn(_ word: Word) {
        guard case .wayOut(let isThere) = word else { return }
        isWayOutTold = isThere
        guard !isFollower else { return }
        // It may be otherwise by now, and something else may have been told here at the same moment: it looks, and tells
        // what it sees in any case.
        isWayOutTold = nil
        ring()
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
        if let before, WayOut(of: after).isBetter(than: WayOut(of: before)) {
            logger.debug("the network is back")
            returns.ring(at: time())
        }
        // That something leads out again is told when the last step of coming back is done.
        if after.exit == nil || returns.due == nil { tellWayOut() }
    }

    private func tellWayOut() {
        guard let network, isWayOutTold != (network.exit != nil) else { return }
        isWayOutTold = network.exit != nil
        tell(.wayOut(isThere: network.exit != nil))
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
                        groups: NetlinkSocket.network,
                        receive: { [weak self] in if !NetlinkNews(reading: $0).isEmpty { self?.ring() } },
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
