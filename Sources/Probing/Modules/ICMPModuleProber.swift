#if Fetch
import Monitoring
import NIOCore

/// Sends the echo request of an ICMP module. Confined to its event loop.
final class ICMPModuleProber {
    private let probe: ModuleProbe
    private let module: ICMPModule
    private var facts = ModuleReport.ICMP()
    /// The socket, and the sequence of the request on it.
    private var place: (socket: ModuleEchoSocket, sequence: UInt16)?
    private var sent: Duration?
    private var address: IPAddress?
    private let cookie = EchoCookie(process: .random(in: .min ... .max), slot: 0, generation: 0)

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
        let socket: ModuleEchoSocket
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
            .write(to: &packet, size: module.options.size)
        probe.log(.debug, "Writing out packet")
        sent = now
        let code = socket.send(packet, to: address)
        if code != 0 { fail("Error writing to socket", Outcome(errno: code, to: address).logText) }
    }

    private func socket(for address: IPAddress) throws(Fault) -> ModuleEchoSocket {
        let options = module.options
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
#endif
