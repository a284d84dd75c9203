#if Fetch

import ReachSystem
import ReachMonitoring
import NIOCore

/// Sends the echo request of an ICMP module. Confined to its event loop.
final class BlackboxICMPProber {
    private let probe: BlackboxProbe
    private let module: ICMPOptions
    private var facts = BlackboxReport.ICMP()
    /// The socket, and the sequence of the request on it.
    private var place: (socket: BlackboxEchoSocket, sequence: UInt16)?
    private var sent: Duration?
    private var address: IPAddress?
    private let cookie = EchoCookie(process: .random(in: .min ... .max), slot: 0, generation: 0)

    init(_ probe: BlackboxProbe, _ module: ICMPOptions) {
        self.probe = probe
        self.module = module
    }

    /// Starts the probe.
    func begin() {
        probe.report.icmp = facts
        probe.expire = { self.fail("Timeout reading from socket", "timeout") }
        probe.close = { self.close() }
        probe.resolve(probe.target) { self.send(to: $0) }
    }

    private func send(to address: IPAddress) {
        facts.phases["resolve"] = probe.report.lookup?.duration ?? .zero
        self.address = address
        let begin = probe.lane.time()
        let socket: BlackboxEchoSocket
        do throws(Fault) {
            socket = try self.socket(for: address)
        } catch {
            return fail("Error listening to socket", error.summary)
        }
        let sequence = socket.add(self)
        place = (socket, sequence)
        let now = probe.lane.time()
        facts.phases["setup"] = now - begin
        var packet = ByteBuffer()
        EchoPacket(.request, family: address.family, identifier: socket.identifier, sequence: sequence, cookie: cookie)
            .write(to: &packet, size: module.size)
        probe.log(.debug, "Writing out packet")
        sent = now
        let code = socket.send(packet, to: address)
        if code != 0 { fail("Error writing to socket", Outcome(errno: code, to: address).logText) }
    }

    private func socket(for address: IPAddress) throws(Fault) -> BlackboxEchoSocket {
        let options = module
        let kind = EchoSocket.Kind(
            family: address.family,
            ttl: options.ttl,
            dscp: options.dscp,
            isSmall: module.isUnfragmented || options.size <= EchoPacket.smallSize,
            origin: try probe.module.origin(toward: address),
            reportsHopLimit: true
        )
        return try probe.lane.echoSocket(kind)
    }

    /// Receives a reply with the sequence of the request.
    func receive(_ packet: EchoPacket, from source: IPAddress, hopLimit: Int?) {
        guard let address, packet.cookie == cookie, address.isAnswered(by: source), !probe.isOver else { return }
        facts.phases["rtt"] = probe.lane.time() - (sent ?? probe.lane.time())
        facts.hopLimit = hopLimit
        probe.log(.debug, "Found matching reply packet")
        finish(true)
    }

    /// Receives an error about a request with the same sequence.
    func receive(_ error: EchoError, from source: IPAddress?) {
        guard error.cookie == cookie || error.cookie == nil && error.destination == address else { return }
        fail("Error reading from socket", error.failure(reportedBy: source).detail)
    }

    private func fail(_ message: String, _ reason: String) {
        guard !probe.isOver else { return }
        probe.log(.error, message, ["err": reason])
        finish(false)
    }

    private func finish(_ isSuccess: Bool) {
        probe.report.icmp = facts
        probe.end(isSuccess)
    }

    private func close() {
        guard let place else { return }
        self.place = nil
        place.socket.remove(place.sequence)
    }
}

/// An ICMP socket that the probes of modules share. Confined to its event loop.
///
/// A socket for each probe takes a fifth of a probe's processor time.
final class BlackboxEchoSocket {
    /// The identifier of all requests, by which a raw socket recognizes their replies.
    let identifier = UInt16.random(in: .min ... .max)
    private let loop: any EventLoop
    private var socket: EchoSocket?
    private var isRetired = false
    /// The probes that wait for a reply, by the sequence of their request.
    private var waiting: [UInt16: BlackboxICMPProber] = [:]
    private var lastSequence: UInt16 = 0
    /// The hop limit of the packet that is received.
    private var hopLimit: Int?

    init(_ kind: EchoSocket.Kind, on loop: any EventLoop) throws(Fault) {
        self.loop = loop
        var listener = EchoListener(
            receive: { [weak self] bytes, source, _ in self?.receive(bytes, from: source) },
            receiveError: { [weak self] error, source in self?.receive(error, from: source) },
            batchEnded: {},
            ended: {}
        )
        listener.receiveHopLimit = { [weak self] in self?.hopLimit = $0 }
        socket = try EchoSocket.open(kind, identifier: identifier, on: loop, for: listener)
    }

    var isOpen: Bool { socket?.isOpen ?? false }

    /// Whether further probes can use the socket.
    var isUsable: Bool { isOpen && !isRetired }

    /// Lets a probe receive replies until it is removed.
    ///
    /// - Returns: The sequence of its request.
    func add(_ prober: BlackboxICMPProber) -> UInt16 {
        repeat { lastSequence &+= 1 } while waiting[lastSequence] != nil
        waiting[lastSequence] = prober
        return lastSequence
    }

    func remove(_ sequence: UInt16) {
        waiting[sequence] = nil
        closeIfUnneeded()
    }

    /// Closes the socket with its last probe.
    func retire() {
        isRetired = true
        closeIfUnneeded()
    }

    /// Sends a packet. Returns the error number; zero if it was sent.
    func send(_ packet: ByteBuffer, to address: IPAddress) -> CInt {
        socket?.send(packet, to: address) ?? EBADF
    }

    private func closeIfUnneeded() {
        guard isRetired, waiting.isEmpty, let socket else { return }
        self.socket = nil
        // The socket may be reading at this moment.
        let bound = NIOLoopBound(socket, eventLoop: loop)
        loop.execute { bound.value.close() }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, from source: IPAddress) {
        defer { hopLimit = nil }
        guard let packet = EchoPacket(reading: bytes, family: source.family), packet.kind == .reply else { return }
        waiting[packet.sequence]?.receive(packet, from: source, hopLimit: hopLimit)
    }

    private func receive(_ error: EchoError, from source: IPAddress?) {
        waiting[error.sequence]?.receive(error, from: source)
    }
}

#endif
