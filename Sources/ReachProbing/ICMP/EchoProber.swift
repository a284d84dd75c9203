import Logging
import NIOCore
import ReachMonitoring

/// A prober that sends ICMP echo requests. Confined to its event loop.
final class EchoProber: MethodProber {
    /// The delay before a refused socket is tried again: the user may have fixed the permission.
    private static let retryPause = Duration.seconds(3)

    enum SocketState {
        case open(EchoSocket)
        case refused(Fault, until: Duration)
    }

    private let environment: ProberEnvironment
    private let logger: Logger
    private var table = EchoTable()
    private(set) var sockets: [EchoSocket.Kind: SocketState] = [:]
    /// The time until which each socket with a given source is needed.
    private var neededUntil: [EchoSocket.Kind: Duration] = [:]
    /// The last used socket, usually the only one.
    private var lastSocket: EchoSocket?
    private var packet = ByteBuffer()
    private let identifier = UInt16.random(in: .min ... .max)
    private let wallTime: () -> Duration
    private var arrivals = ArrivalClock()
    /// The time at which the current batch was read.
    private var batchTime: Duration?
    private let reportsHopLimits: Bool
    /// The hop limit of the reply that is being reported; nil if it is unknown.
    private(set) var hopLimit: Int?

    /// - Parameter reportsHopLimits: whether ``hopLimit`` is set. Only the kernel of Linux reports hop limits.
    init(
        _ environment: ProberEnvironment,
        logger: Logger,
        reportsHopLimits: Bool = false,
        wallTime: @escaping () -> Duration = { .sinceEpoch }
    ) {
        self.environment = environment
        self.logger = logger
        self.reportsHopLimits = reportsHopLimits
        self.wallTime = wallTime
    }

    var nextDeadline: Duration? { table.nextDeadline }

    func send(_ probe: Probe) {
        guard case .icmp(_, let options) = probe.question, let address = probe.address else { return }
        let socket: EchoSocket
        do {
            socket = try self.socket(for: probe, options, to: address)
        } catch {
            return environment.report(.ended(probe, .fault(error)))
        }
        let now = environment.time()
        if arrivals.time.map({ now - $0 > ArrivalClock.maximumAge }) ?? true {
            arrivals.read(time: now, wall: wallTime())
        }
        let (sequence, cookie) = table.add(probe, at: now)
        packet.clear()
        EchoPacket(.request, family: address.family, identifier: identifier, sequence: sequence, cookie: cookie)
            .write(to: &packet, size: options.size)
        let code = socket.send(packet, to: address)
        guard code != 0 else { return }
        table.withdraw(cookie, at: now)
        environment.report(.ended(probe, Outcome(errno: code, to: address)))
    }

    func expire(at time: Duration) {
        for (probe, outcome) in table.expire(at: time) { environment.report(.ended(probe, outcome)) }
        // An interface that is created again has another index or address, and needs another socket.
        for (kind, end) in neededUntil where end < time { close(kind) }
    }

    func listen(isPolled: Bool) {
        for case .open(let socket) in sockets.values { socket.read(isPolled: isPolled) }
    }

    func discardInFlight(at time: Duration) {
        table.discardInFlight(at: time)
    }

    func closeUnneeded(for questions: [Question]) {
        struct Marking: Hashable {
            let ttl: Int
            let dscp: Int
        }
        var used: Set<Marking> = []
        for case .icmp(_, let options) in questions { used.insert(Marking(ttl: options.ttl, dscp: options.dscp)) }
        for kind in sockets.keys where !used.contains(Marking(ttl: kind.ttl, dscp: kind.dscp)) {
            close(kind)
        }
    }

    private func close(_ kind: EchoSocket.Kind) {
        neededUntil[kind] = nil
        lastSocket = nil
        guard case .open(let socket) = sockets.removeValue(forKey: kind) else { return }
        socket.close()
    }

    /// Returns the socket of a probe, which ``send(_:)`` uses too.
    ///
    /// - Throws: The fault that prevents its opening.
    @discardableResult
    func socket(for probe: Probe, _ options: ICMPOptions, to address: IPAddress) throws(Fault) -> EchoSocket {
        let kind = EchoSocket.Kind(
            family: address.family,
            ttl: min(max(1, options.ttl), 255),
            dscp: min(max(0, options.dscp), 63),
            isUnfragmented: options.isUnfragmented || options.size <= EchoPacket.smallSize,
            origin: try probe.origin(toward: address),
            reportsHopLimit: reportsHopLimits
        )
        let socket = try self.socket(kind)
        if kind.origin != nil { neededUntil[kind] = environment.time() + max(probe.timeout, EchoTable.retention) }
        return socket
    }

    private func socket(_ kind: EchoSocket.Kind) throws(Fault) -> EchoSocket {
        if let lastSocket, lastSocket.kind == kind { return lastSocket }
        let now = environment.time()
        switch sockets[kind] {
        case .open(let socket):
            lastSocket = socket
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
                // Logged once, not for every attempt.
                if sockets[kind] == nil { logger.warning("no ICMP socket", metadata: ["detail": "\(error.detail)"]) }
                sockets[kind] = .refused(error, until: now + Self.retryPause)
                throw error
            }
        }
    }

    private func open(_ kind: EchoSocket.Kind) throws(Fault) -> EchoSocket {
        var listener = EchoListener(
            receive: { [weak self] in self?.receive($0, from: $1, at: $2) },
            receiveError: { [weak self] in self?.receive(error: $0, from: $1) },
            batchEnded: { [weak self] in self?.batchTime = nil },
            ended: { [weak self] in self?.ended(kind) }
        )
        if reportsHopLimits { listener.receiveHopLimit = { [weak self] in self?.hopLimit = $0 } }
        return try EchoSocket.open(kind, identifier: identifier, on: environment.loop, for: listener)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, from source: IPAddress, at stamp: Duration?) {
        defer { hopLimit = nil }
        guard let packet = EchoPacket(reading: bytes, family: source.family), packet.kind == .reply else {
            let error = EchoError(reading: ByteBuffer(bytes: bytes), family: source.family)
            if let error, error.identifier == identifier { receive(error: error, from: source) }
            return
        }
        let arrival = arrival(of: packet.cookie, at: stamp)
        switch table.reply(sequence: packet.sequence, cookie: packet.cookie, from: source, at: arrival) {
        case .reply(let probe, let roundTrip): environment.report(.ended(probe, .reply(roundTrip: roundTrip)))
        case .late(let watch, let roundTrip, let sent):
            environment.report(.late(watch, roundTrip: roundTrip, sent: sent))
        case .duplicate(let watch): environment.report(.duplicate(watch))
        case .unmatched: break
        }
    }

    /// Returns when the reply with this cookie arrived.
    private func arrival(of cookie: EchoCookie, at stamp: Duration?) -> Duration {
        if batchTime == nil {
            let now = environment.time()
            batchTime = now
            if stamp != nil { arrivals.read(time: now, wall: wallTime()) }
        }
        guard let stamp else { return batchTime ?? environment.time() }
        return table.sendTime(of: cookie).flatMap { arrivals.arrival(stamp, sent: $0) } ?? environment.time()
    }

    private func receive(error: EchoError, from source: IPAddress?) {
        guard let probe = table.fail(error, at: environment.time()) else { return }
        environment.report(.ended(probe, .failure(Failure(error.reason, reportedBy: source))))
    }

    /// Handles a socket that the system has closed: replies in flight are lost.
    private func ended(_ kind: EchoSocket.Kind) {
        guard case .open(let socket) = sockets[kind], !socket.isOpen else { return }
        logger.warning("an ICMP socket was closed by the system; the next probe opens another")
        sockets[kind] = nil
        lastSocket = nil
        table.discardInFlight(at: environment.time())
    }
}
