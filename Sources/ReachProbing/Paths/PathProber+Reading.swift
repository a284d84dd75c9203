#if os(Linux)
package import ReachMonitoring
import ReachSystem

extension PathProber {
    /// The maximum number of messages read of a socket before others have their turn.
    private static let maxMessages = 256
    /// The maximum number of batches of sockets per read.
    private static let maxBatches = 8
    /// The size in bytes of the quotations and datagrams that are read: more than a router may send (RFC 1812 §4.3.2.3).
    private static let capacity = 1_500

    /// An answer before the clocks are compared.
    private struct Arrival {
        let entry: PathTable.Entry
        let source: IPAddress
        let kind: PathAnswer.Kind
        var labels: [MPLSLabel] = []
        /// When the kernel received it, in wall-clock time.
        var stamp: Duration?
        /// The round trip that the kernel measured.
        var roundTrip: Duration?
    }

    /// Reads the answers that have arrived.
    ///
    /// - Parameter now: The current time since the start of the program. The kernel's time of arrival is preferred.
    package func read(at now: Duration) -> [PathAnswer] {
        let wall = wallTime()
        var found: [Arrival] = []
        var reading = DatagramReading(capacity: Self.capacity)
        for _ in 0..<Self.maxBatches {
            let ready = poller.readyNumbers()
            for number in ready {
                guard let socket = sockets[number] else { continue }
                switch (socket.method, socket.usage) {
                case (.tcp, .probe(let probe)): readConnection(socket, of: probe, into: &found, by: &reading)
                default: readSocket(socket, into: &found, by: &reading)
                }
            }
            guard ready.count == PathPoller.batch else { break }
        }
        arrivals.read(time: now, wall: wall)
        let answers = found.map { answer(for: $0, at: now) }
        table.expire(at: now)
        expireConnections(at: now)
        return answers
    }

    private func answer(for arrival: Arrival, at now: Duration) -> PathAnswer {
        let entry = arrival.entry
        closeSocket(of: entry.probe.number)
        let received = arrival.stamp.flatMap { arrivals.arrival($0, sent: entry.sent) } ?? now
        let isDestination = arrival.source.isDestination(of: entry)
        return PathAnswer(
            probe: entry.probe.number,
            source: isDestination ? entry.probe.destination.address : "\(arrival.source)",
            kind: arrival.kind,
            roundTrip: arrival.roundTrip ?? max(.zero, received - entry.sent),
            labels: arrival.labels
        )
    }

    /// Reads the error queue of a socket, and its datagrams.
    private func readSocket(_ socket: PathSocket, into found: inout [Arrival], by reading: inout DatagramReading) {
        readErrors(of: socket, into: &found, by: &reading)
        for _ in 0..<Self.maxMessages {
            switch reading.next(from: socket.descriptor) {
            case 0: readDatagram(reading, of: socket, into: &found)
            case EAGAIN: return
            // An entry in the error queue makes one read fail.
            default: continue
            }
        }
    }

    private func readDatagram(_ reading: DatagramReading, of socket: PathSocket, into found: inout [Arrival]) {
        guard let source = reading.address else { return }
        var bytes = reading.bytes
        var layout = PathLayout(port: reading.port)
        if socket.method == .icmp {
            layout = .echo
            if socket.isRaw {
                bytes = bytes.dropFirst(bytes.withUnsafeBytes { $0.lengthOfIPv4Header(before: socket.family) })
            }
            // A raw socket also receives the requests and errors of other processes.
            let reply: UInt8 = socket.family == .ipv4 ? 0 : 129
            guard bytes.count >= 8, bytes[bytes.startIndex] == reply else { return }
            let start = bytes.startIndex + 4
            guard UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1]) == socket.localPort else { return }
        }
        let entry = table.claim(
            answeredBy: bytes,
            from: source,
            port: reading.port,
            of: socket.number,
            layout: layout
        )
        guard let entry else { return }
        let stamp = reading.messages.withUnsafeBytes { KernelTimestamp.time(in: $0) }
        found.append(Arrival(entry: entry, source: source, kind: .reached(.reply), stamp: stamp))
    }

    private func readErrors(of socket: PathSocket, into found: inout [Arrival], by reading: inout DatagramReading) {
        for _ in 0..<Self.maxMessages {
            guard reading.next(from: socket.descriptor, flags: CInt(MSG_ERRQUEUE)) == 0 else { return }
            let entry = reading.messages.withUnsafeBytes { PathErrorEntry(control: $0) }
            switch entry?.cause {
            case .tooBigToSend(let mtu):
                guard let entry = table.claimTooBig(to: reading.address, of: socket.number) else { continue }
                let source = if case .from(let own) = KernelRoute(to: entry.address) { own } else { entry.address }
                let kind = PathAnswer.Kind.tooBig(mtu: Int(mtu))
                found.append(Arrival(entry: entry, source: source, kind: kind, roundTrip: .zero))
            case .message(let message, let mtu):
                guard let entry else { continue }
                if let arrival = arrival(of: message, mtu, entry, in: reading, of: socket) { found.append(arrival) }
            case nil: continue
            }
        }
    }

    /// Returns the answer that an ICMP message about a packet of a socket gives; nil if it is dropped.
    private func arrival(
        of message: ExtendedError,
        _ mtu: UInt32,
        _ entry: PathErrorEntry,
        in reading: DatagramReading,
        of socket: PathSocket
    ) -> Arrival? {
        func kind(isFromDestination: Bool) -> PathAnswer.Kind? {
            PathAnswer.Kind(
                icmpType: message.type,
                code: message.code,
                family: message.family,
                mtu: mtu,
                isFromDestination: isFromDestination
            )
        }
        // After a message that says nothing about the path, such as a redirect, the probe waits on.
        guard let source = message.offender, let destination = reading.address, kind(isFromDestination: false) != nil
        else {
            return nil
        }
        let transport = socket.method == .udp ? 8 : 0
        let (quotation, labels) = entry.divide(reading.bytes, headers: (socket.family == .ipv4 ? 20 : 40) + transport)
        let claimed: PathTable.Entry?
        if case .probe(let probe) = socket.usage, socket.method == .tcp {
            claimed = claim(probe, of: socket, quoting: quotation, to: destination)
        } else {
            claimed = table.claim(
                quoting: quotation,
                to: destination,
                port: reading.port,
                of: socket.number,
                layout: socket.method == .icmp ? .echo : PathLayout(port: reading.port)
            )
        }
        guard let claimed, let kind = kind(isFromDestination: source.isDestination(of: claimed)) else { return nil }
        let stamp = reading.messages.withUnsafeBytes { KernelTimestamp.time(in: $0) }
        return Arrival(entry: claimed, source: source, kind: kind, labels: labels, stamp: stamp)
    }

    /// Returns the probe of a connection that an error message is about. The kernel has compared the sequence number.
    private func claim(
        _ probe: UInt32,
        of socket: PathSocket,
        quoting quotation: ArraySlice<UInt8>,
        to destination: IPAddress
    ) -> PathTable.Entry? {
        let ports = quotation.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let entry = table.entry(probe), entry.address.isAnswered(by: destination), quotation.count >= 4,
            ports == UInt32(socket.localPort) << 16 | UInt32(entry.probe.destination.port)
        else {
            table.countUnmatched()
            return nil
        }
        return claimConnection(probe, of: socket)
    }

    /// Returns the probe of a connection that has ended; nil if its first packet was repeated, so that the answer may be to
    /// either packet.
    private func claimConnection(_ probe: UInt32, of socket: PathSocket) -> PathTable.Entry? {
        guard ConnectionInfo(of: socket.descriptor)?.repetitions ?? 0 == 0 else {
            table.countAmbiguous()
            table.remove(probe)
            return nil
        }
        return table.claimConnection(probe)
    }

    /// Reads how a connection attempt ended, and closes its socket.
    private func readConnection(
        _ socket: PathSocket,
        of probe: UInt32,
        into found: inout [Arrival],
        by reading: inout DatagramReading
    ) {
        let count = found.count
        readErrors(of: socket, into: &found, by: &reading)
        guard found.count == count else { return }
        var (code, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        let info = ConnectionInfo(of: socket.descriptor)
        let kind: PathAnswer.Kind? =
            switch code {
            case 0: info?.roundTrip == nil ? nil : .reached(.accepted)
            case ECONNREFUSED, ECONNRESET: .reached(.refused)
            default: nil
            }
        // The error of a message that says nothing about the path is gone now, and the attempt goes on.
        if code == 0, kind == nil { return }
        if let kind, let entry = claimConnection(probe, of: socket) {
            let roundTrip = code == 0 ? info?.roundTrip : nil
            found.append(Arrival(entry: entry, source: entry.address, kind: kind, roundTrip: roundTrip))
        }
        table.remove(probe)
        closeSocket(of: probe)
    }
}

extension IPAddress {
    /// Whether the address is the destination of a probe.
    fileprivate func isDestination(of entry: PathTable.Entry) -> Bool {
        !entry.address.isUnspecified && entry.address.isAnswered(by: self)
    }
}
#endif
