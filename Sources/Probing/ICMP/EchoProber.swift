import Logging
import Monitoring
import NIOCore

/// Asks by ICMP echo requests. Confined to its event loop.
final class EchoProber: Prober {
    /// How long a refused socket is not tried again; then it is, since the user may have mended it.
    private static let patience = Duration.seconds(3)

    private enum Listening {
        case open(EchoSocket)
        case refused(Fault, until: Duration)
    }

    private let loop: any EventLoop
    private let logger: Logger
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var table = EchoTable()
    private var sockets: [EchoSocket.Kind: Listening] = [:]
    /// How long the sockets that leave from somewhere in particular are needed at least.
    private var neededUntil: [EchoSocket.Kind: Duration] = [:]
    /// The socket that was used last, most often the only one.
    private var latest: EchoSocket?
    private var packet = ByteBuffer()
    private let identifier = UInt16.random(in: .min ... .max)
    private let wallTime: () -> Duration
    private var arrivals = ArrivalClock()
    /// When the batch that is being read was read.
    private var batchTime: Duration?

    init(
        loop: any EventLoop,
        logger: Logger,
        time: @escaping () -> Duration,
        wallTime: @escaping () -> Duration = { .sinceEpoch },
        tell: @escaping (Notice) -> Void
    ) {
        self.loop = loop
        self.logger = logger
        self.time = time
        self.wallTime = wallTime
        self.tell = tell
    }

    var nextDeadline: Duration? { table.nextDeadline }

    func ask(_ probe: Probe) {
        guard case .icmp(_, let options) = probe.question, let address = probe.address else { return }
        let socket: EchoSocket
        do {
            let kind = EchoSocket.Kind(
                family: address.family,
                ttl: options.ttl,
                dscp: options.dscp,
                isSmall: options.size <= EchoPacket.smallSize,
                origin: try probe.origin()
            )
            socket = try self.socket(kind)
            if kind.origin != nil { neededUntil[kind] = time() + max(probe.timeout, EchoTable.memory) }
        } catch {
            return tell(.ended(probe, .fault(error)))
        }
        let now = time()
        if arrivals.time.map({ now - $0 > ArrivalClock.patience }) ?? true {
            arrivals.read(time: now, wall: wallTime())
        }
        let (sequence, cookie) = table.ask(probe, at: now)
        packet.clear()
        EchoPacket(.request, family: address.family, identifier: identifier, sequence: sequence, cookie: cookie)
            .write(to: &packet, size: options.size)
        let code = socket.send(packet, to: address)
        guard code != 0 else { return }
        table.withdraw(cookie, at: now)
        tell(.ended(probe, Outcome(errno: code, to: address)))
    }

    func expire(at time: Duration) {
        for probe in table.expire(at: time) { tell(.ended(probe, .timeout)) }
        // An interface that comes and goes has another number, or another address, each time.
        for (kind, end) in neededUntil where end < time { close(kind) }
    }

    func listen(isPolled: Bool) {
        for case .open(let socket) in sockets.values { socket.read(isPolled: isPolled) }
    }

    func void(at time: Duration) {
        table.void(at: time)
    }

    func keep(for questions: [Question]) {
        struct Marks: Hashable {
            let ttl: Int
            let dscp: Int
        }
        var used: Set<Marks> = []
        for case .icmp(_, let options) in questions { used.insert(Marks(ttl: options.ttl, dscp: options.dscp)) }
        for kind in sockets.keys where !used.contains(Marks(ttl: kind.ttl, dscp: kind.dscp)) {
            close(kind)
        }
    }

    private func close(_ kind: EchoSocket.Kind) {
        neededUntil[kind] = nil
        latest = nil
        guard case .open(let socket) = sockets.removeValue(forKey: kind) else { return }
        socket.close()
    }

    private func socket(_ kind: EchoSocket.Kind) throws(Fault) -> EchoSocket {
        if let latest, latest.kind == kind { return latest }
        let now = time()
        switch sockets[kind] {
        case .open(let socket):
            latest = socket
            return socket
        case .refused(let fault, let until) where now < until:
            throw fault
        case .refused, nil:
            do {
                let socket = try open(kind)
                sockets[kind] = .open(socket)
                logger.debug("ICMP socket opened", metadata: ["family": "\(kind.family)"])
                return socket
            } catch {
                // Said once, not on every try.
                if sockets[kind] == nil { logger.warning("no ICMP socket", metadata: ["detail": "\(error.detail)"]) }
                sockets[kind] = .refused(error, until: now + Self.patience)
                throw error
            }
        }
    }

    private func open(_ kind: EchoSocket.Kind) throws(Fault) -> EchoSocket {
        let listener = EchoListener(
            hear: { [weak self] in self?.hear($0, from: $1, at: $2) },
            refuse: { [weak self] in self?.refuse($0, from: $1) },
            batchEnded: { [weak self] in self?.batchTime = nil },
            ended: { [weak self] in self?.ended(kind) }
        )
        return try EchoSocket.open(kind, identifier: identifier, on: loop, for: listener)
    }

    private func hear(_ bytes: UnsafeRawBufferPointer, from source: IPAddress, at stamp: Duration?) {
        guard let packet = EchoPacket(reading: bytes, family: source.family), packet.kind == .reply else {
            let error = EchoError(reading: ByteBuffer(bytes: bytes), family: source.family)
            if let error, error.identifier == identifier { refuse(error, from: source) }
            return
        }
        let arrival = arrival(of: packet.cookie, at: stamp)
        switch table.reply(sequence: packet.sequence, cookie: packet.cookie, from: source, at: arrival) {
        case .answer(let probe, let roundTrip): tell(.ended(probe, .reply(roundTrip: roundTrip)))
        case .late(let probe): tell(.late(probe))
        case .duplicate(let probe): tell(.duplicate(probe))
        case .notOurs: break
        }
    }

    /// When the reply with this cookie arrived.
    private func arrival(of cookie: EchoCookie, at stamp: Duration?) -> Duration {
        if batchTime == nil {
            let now = time()
            batchTime = now
            if stamp != nil { arrivals.read(time: now, wall: wallTime()) }
        }
        guard let stamp else { return batchTime ?? time() }
        return table.asked(cookie).flatMap { arrivals.arrival(stamp, asked: $0) } ?? time()
    }

    private func refuse(_ error: EchoError, from source: IPAddress?) {
        guard let probe = table.refuse(error, at: time()) else { return }
        tell(.ended(probe, .failure(error.failure(said: source))))
    }

    /// A socket that was not closed by us is gone: nobody hears the replies that are on their way.
    private func ended(_ kind: EchoSocket.Kind) {
        guard case .open(let socket) = sockets[kind], !socket.isOpen else { return }
        logger.warning("an ICMP socket was closed by the system; the next probe opens another")
        sockets[kind] = nil
        latest = nil
        table.void(at: time())
    }
}
