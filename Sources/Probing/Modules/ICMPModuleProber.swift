#if Fetch
import Monitoring
import NIOCore

/// Sends the echo request of an ICMP module on a socket of its own. Confined to its event loop.
final class ICMPModuleProber {
    private let probe: ModuleProbe
    private let module: ICMPModule
    private var facts = ModuleReport.ICMP()
    private var socket: EchoSocket?
    private var sent: Duration?
    private var address: IPAddress?
    private var hopLimit: Int?
    private let identifier = UInt16.random(in: .min ... .max)
    private let cookie = EchoCookie(process: .random(in: .min ... .max), slot: 0, generation: 0)
    /// The sequence of the one request.
    private static let sequence: UInt16 = 1

    init(_ probe: ModuleProbe, _ module: ICMPModule) {
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
        let socket: EchoSocket
        do throws(Fault) {
            socket = try open(for: address)
        } catch {
            return fail("Error listening to socket", error.summary)
        }
        self.socket = socket
        let now = probe.lane.time()
        facts.phases["setup"] = now - begin
        var packet = ByteBuffer()
        EchoPacket(.request, family: address.family, identifier: identifier, sequence: Self.sequence, cookie: cookie)
            .write(to: &packet, size: module.options.size)
        probe.log(.debug, "Writing out packet")
        sent = now
        let code = socket.send(packet, to: address)
        if code != 0 { fail("Error writing to socket", Outcome(errno: code, to: address).logText) }
    }

    private func open(for address: IPAddress) throws(Fault) -> EchoSocket {
        let options = module.options
        var origin: Origin?
        if let source = probe.module.source { origin = try Origin(source, toward: address) }
        let kind = EchoSocket.Kind(
            family: address.family,
            ttl: options.ttl,
            dscp: options.dscp,
            isSmall: module.isUnfragmented || options.size <= EchoPacket.smallSize,
            origin: origin,
            reportsHopLimit: true
        )
        var listener = EchoListener(
            receive: { [weak self] bytes, source, _ in self?.receive(bytes, from: source) },
            receiveError: { [weak self] error, source in self?.receive(error, from: source) },
            batchEnded: {},
            ended: {}
        )
        listener.receiveHopLimit = { [weak self] in self?.hopLimit = $0 }
        return try EchoSocket.open(kind, identifier: identifier, on: probe.loop, for: listener)
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, from source: IPAddress) {
        guard let address, let packet = EchoPacket(reading: bytes, family: source.family) else { return }
        guard packet.kind == .reply, packet.cookie == cookie, address.isAnswered(by: source), !probe.isOver else {
            return
        }
        facts.phases["rtt"] = probe.lane.time() - (sent ?? probe.lane.time())
        facts.hopLimit = hopLimit
        probe.log(.debug, "Found matching reply packet")
        finish(true)
    }

    private func receive(_ error: EchoError, from source: IPAddress?) {
        guard error.cookie == nil || error.cookie == cookie else { return }
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
        guard let socket else { return }
        self.socket = nil
        // The socket may be reading at this moment.
        let bound = NIOLoopBound(socket, eventLoop: probe.loop)
        probe.loop.execute { bound.value.close() }
    }
}
#endif
