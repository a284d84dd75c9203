#if os(Linux)
package import ReachMonitoring
import ReachSystem

/// A prober of paths: it sends probes that expire at a hop, and reads the answers of routers and destinations. Confined
/// to one thread, which polls ``descriptor``.
///
/// It needs no privilege: the kernel puts the routers' messages into the error queues of its sockets. ICMP needs a group
/// in `net.ipv4.ping_group_range`, or else the right to open raw sockets.
///
/// * **ICMP and UDP**: one socket for each flow and family. All probes of a flow have the same ports or identifier, and the
///   same checksum. A hop whose answers show no identity gets a socket for each probe, with another port.
/// * **TCP**: one socket for each probe. The kernel allows one connection for a pair of addresses and ports. So probes of a
///   flow have the same local port if they follow one another, or go to different destinations. Of several in flight to one
///   destination, only the first has it. A connection attempt is given up after ``connectionLifetime``, since the kernel
///   then repeats its first packet. A connection that is accepted is reset before its handshake is complete, if the
///   acceptance is read within 200 ms.
///
/// There are no other timeouts: the caller ends the wait for an answer by ``forget(_:)``.
package final class PathProber {
    /// The time after which a connection attempt is given up. The kernel repeats its first packet after one second.
    package static let connectionLifetime = Duration.milliseconds(950)
    /// The maximum number of open sockets.
    package static let maxSockets = 512
    /// The maximum number of parsed addresses that are kept.
    private static let maxAddresses = 8_192

    let poller: PathPoller
    private let stampSwitch = StampSwitch()
    var table = PathTable()
    var sockets: [Int: PathSocket] = [:]
    var arrivals = ArrivalClock()
    let wallTime: () -> Duration
    /// The connection attempts and their times, oldest first; some are gone already.
    var attempts: ArraySlice<(number: UInt32, sent: Duration)> = []
    private var socketOfFlow: [PathSocket.Flow: Int] = [:]
    /// The sockets with a single probe.
    private var socketOfProbe: [UInt32: Int] = [:]
    private var localPorts = PathPorts()
    private var addresses: [String: IPAddress] = [:]
    private var lastNumber = 0
    private let identifier = UInt16.random(in: .min ... .max)

    /// Creates a prober without flows.
    ///
    /// - Parameter wallTime: The wall-clock time since 1970, by which the kernel stamps arriving packets.
    /// - Throws: A fault, if the process is out of descriptors.
    package init(wallTime: @escaping () -> Duration = { .sinceEpoch }) throws(Fault) {
        poller = try PathPoller()
        self.wallTime = wallTime
    }

    /// The descriptor to poll: it is readable while there are answers to read.
    package var descriptor: CInt { poller.descriptor }

    /// The numbers of answers that were dropped.
    package var counts: PathCounts { table.counts }

    /// The number of open sockets.
    package var socketCount: Int { sockets.count }

    /// When the next connection attempt is given up; call ``read(at:)`` then. Nil if there is none.
    package var nextDeadline: Duration? {
        attempts.first.map { $0.sent + Self.connectionLifetime }
    }

    /// Sends a probe.
    ///
    /// - Parameter now: The current time since the start of the program, from which the round trip counts.
    /// - Returns: Why it was not sent: a fault of this machine, or a failure such as a missing route; nil if it was sent. A
    ///   packet that is too big for this machine's link has an answer.
    package func send(_ probe: PathProbe, at now: Duration) -> Outcome? {
        let start = ContinuousClock.now
        readClocks { now + (ContinuousClock.now - start) }
        guard let address = numericAddress(probe.destination.address) else {
            return .fault(Fault(.internal, detail: "\(probe.destination.address): not a numeric address"))
        }
        guard (1...255).contains(probe.hop) else {
            return .fault(Fault(.internal, detail: "hop \(probe.hop): not within 1 and 255"))
        }
        // Echo requests would leave by some interface.
        guard !address.lacksInterface else { return Outcome(errno: EINVAL, to: address) }
        guard !address.isMulticast else { return Fault.manyHosts(at: address).map { .fault($0) } }
        table.expire(at: now)
        expireConnections(at: now)
        // A number that is used again.
        closeSocket(of: probe.number)
        do {
            switch probe.destination.method {
            case .tcp: return try connect(probe, to: address, at: now + (ContinuousClock.now - start))
            // The first probe of a flow opens its socket.
            case .icmp, .udp:
                return try sendDatagram(probe, to: address) { now + (ContinuousClock.now - start) }
            }
        } catch {
            return .fault(error)
        }
    }

    /// Ends the wait for the answer to a probe, and frees its socket.
    package func forget(_ number: UInt32) {
        guard table.forget(number) != nil, socketOfProbe[number] != nil else { return }
        table.remove(number)
        closeSocket(of: number)
    }

    /// Closes all sockets.
    package func close() {
        sockets = [:]
        socketOfFlow = [:]
        socketOfProbe = [:]
        localPorts = PathPorts()
        attempts = []
        table = PathTable()
    }

    /// Returns why this user cannot probe paths by a method and family; nil if it is allowed.
    ///
    /// - Parameter isIPv6: Whether the question is about IPv6.
    package static func fault(of method: PathMethod, isIPv6: Bool) -> Fault? {
        let family: IPAddress.Family = isIPv6 ? .ipv6 : .ipv4
        let flow = PathSocket.Flow(method: method, family: family, number: 0)
        do {
            _ = try PathSocket(0, for: .flow(flow), by: method == .tcp ? .udp : method, family, identifier: 0)
            return nil
        } catch {
            return error
        }
    }

    /// Reads both clocks if the last reading is old.
    private func readClocks(at now: () -> Duration) {
        if let last = arrivals.time {
            if now() - last > ArrivalClock.maximumAge { arrivals.read(time: now(), wall: wallTime()) }
        } else {
            // No packet has arrived before, and the first reading is slow. The stamps of the first answers count.
            for _ in 0..<4 { arrivals.read(time: now(), wall: wallTime()) }
        }
    }

    private func numericAddress(_ text: String) -> IPAddress? {
        if let known = addresses[text] { return known }
        guard let address = IPAddress(literal: text) else { return nil }
        // An interface that is created again has another number.
        guard address.scope == 0 else { return address }
        if addresses.count >= Self.maxAddresses { addresses = [:] }
        addresses[text] = address
        return address
    }
}

extension PathProber {
    private func sendDatagram(
        _ probe: PathProbe,
        to address: IPAddress,
        at now: () -> Duration
    ) throws(Fault) -> Outcome? {
        let socket = try self.socket(for: probe, address.family)
        let packet = PathPacket(probe, family: address.family, key: table.key, identifier: socket.localPort)
        let bytes = packet.bytes
        table.add(
            PathTable.Entry(probe: probe, address: address, socket: socket.number, packet: packet, sent: now())
        )
        let code = socket.send(bytes, to: address, port: probe.destination.port, hop: probe.hop)
        switch code {
        case 0: return nil
        case EMSGSIZE where probe.size != nil:
            // The error queue has the MTU.
            table.markTooBig(probe.number)
            return nil
        default:
            table.remove(probe.number)
            closeSocket(of: probe.number)
            return Outcome(errno: code, to: address)
        }
    }

    /// Returns the socket of a probe's flow, or one of its own.
    private func socket(for probe: PathProbe, _ family: IPAddress.Family) throws(Fault) -> PathSocket {
        let method = probe.destination.method
        if method == .udp, table.needsOwnSocket(probe), let own = try? open(.probe(probe.number), method, family) {
            socketOfProbe[probe.number] = own.number
            return own
        }
        let flow = PathSocket.Flow(method: method, family: family, number: probe.flow)
        if let number = socketOfFlow[flow], let known = sockets[number] { return known }
        let opened = try open(.flow(flow), method, family)
        socketOfFlow[flow] = opened.number
        return opened
    }

    private func open(
        _ usage: PathSocket.Usage,
        _ method: PathMethod,
        _ family: IPAddress.Family
    ) throws(Fault) -> PathSocket {
        try makeRoom()
        lastNumber += 1
        let flow = if case .flow(let flow) = usage { UInt16(truncatingIfNeeded: flow.number) } else { UInt16(0) }
        let socket = try PathSocket(lastNumber, for: usage, by: method, family, identifier: identifier &+ flow)
        try poller.add(socket.descriptor, number: socket.number, for: .reading)
        sockets[socket.number] = socket
        return socket
    }

    private func connect(_ probe: PathProbe, to address: IPAddress, at now: Duration) throws(Fault) -> Outcome? {
        guard probe.size == nil else {
            return .fault(Fault(.internal, detail: "the first packet of a connection has no other size"))
        }
        try makeRoom()
        var code: CInt = 0
        var wanted = localPorts.port(for: probe, family: address.family)
        var opened: PathSocket?
        repeat {
            lastNumber += 1
            opened = try PathSocket(lastNumber, connecting: probe, to: address, from: wanted, code: &code)
            // Another connection of the machine has this port.
            guard wanted != nil, code == EADDRINUSE || code == EADDRNOTAVAIL else { break }
            wanted = nil
        } while true
        guard code == 0, let socket = opened else { return Outcome(errno: code, to: address) }
        try poller.add(socket.descriptor, number: socket.number, for: .connecting)
        sockets[socket.number] = socket
        socketOfProbe[probe.number] = socket.number
        localPorts.begin(probe, family: address.family, port: socket.localPort)
        attempts.append((probe.number, now))
        table.add(PathTable.Entry(probe: probe, address: address, socket: socket.number, packet: nil, sent: now))
        return nil
    }

    /// Closes unused sockets if too many are open.
    private func makeRoom() throws(Fault) {
        guard sockets.count >= Self.maxSockets else { return }
        for (flow, number) in socketOfFlow where !table.hasEntry(of: number) {
            socketOfFlow[flow] = nil
            sockets[number] = nil
        }
        guard sockets.count < Self.maxSockets else {
            throw Fault(.tooManyFiles, detail: "more than \(Self.maxSockets) probes of paths at a time")
        }
    }

    /// Closes the socket that a probe has alone.
    func closeSocket(of probe: UInt32) {
        guard let number = socketOfProbe.removeValue(forKey: probe) else { return }
        sockets[number] = nil
        localPorts.end(probe)
    }

    /// Gives up the connection attempts whose first packet the kernel would repeat.
    func expireConnections(at now: Duration) {
        while let first = attempts.first,
            now - first.sent >= Self.connectionLifetime || socketOfProbe[first.number] == nil
        {
            attempts.removeFirst()
            guard socketOfProbe[first.number] != nil else { continue }
            table.remove(first.number)
            closeSocket(of: first.number)
        }
    }
}

/// The local ports of connections: those of one flow have the same one, if they go to several destinations or follow one
/// another.
private struct PathPorts {
    private struct Flow: Hashable {
        let isIPv6: Bool
        let number: Int
    }

    private struct Use: Hashable {
        let destination: PathDestination
        let flow: Int
    }

    private var ports: [Flow: UInt16] = [:]
    /// The probe in flight that has the port of its flow.
    private var holders: [Use: UInt32] = [:]
    private var uses: [UInt32: Use] = [:]

    /// The port for a connection of the probe; zero for the first one of a flow, nil if the port is taken.
    func port(for probe: PathProbe, family: IPAddress.Family) -> UInt16? {
        guard holders[Use(destination: probe.destination, flow: probe.flow)] == nil else { return nil }
        return ports[Flow(isIPv6: family == .ipv6, number: probe.flow)] ?? 0
    }

    /// Records the port of a connection.
    mutating func begin(_ probe: PathProbe, family: IPAddress.Family, port: UInt16) {
        let use = Use(destination: probe.destination, flow: probe.flow)
        guard holders[use] == nil else { return }
        let flow = Flow(isIPv6: family == .ipv6, number: probe.flow)
        if ports.count > PathProber.maxSockets { ports = [:] }
        ports[flow] = port
        holders[use] = probe.number
        uses[probe.number] = use
    }

    /// Frees the port of a connection.
    mutating func end(_ probe: UInt32) {
        guard let use = uses.removeValue(forKey: probe) else { return }
        holders[use] = nil
    }
}
#endif
