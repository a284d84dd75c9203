import ReachMonitoring

/// The probes of paths that wait for an answer, and the rules by which an answer belongs to a probe.
///
/// An answer is believed if it quotes what was sent: the destination, the ports and the identity. Some routers quote the
/// headers alone (RFC 792), and most servers return nothing of a datagram. Such an answer belongs to a probe only if no
/// other probe of the same socket and destination can have caused it. Otherwise it is dropped, and the next probes of the
/// hops in question get a socket of their own.
struct PathTable {
    /// The time for which an answer to an abandoned probe may still arrive.
    static let retention = Duration.seconds(10)
    /// The maximum number of hops with sockets of their own.
    static let maxOwnSockets = 4_096

    /// A probe that was sent.
    struct Entry: Sendable, Hashable {
        let probe: PathProbe
        let address: IPAddress
        /// The number of the socket.
        let socket: Int
        /// The packet; nil for a connection, whose socket has one probe only.
        let packet: PathPacket?
        let sent: Duration
        /// Whether an answer is wanted. Another probe's answer must not be taken for that of an abandoned one.
        fileprivate(set) var isWaiting = true
        /// Whether this machine did not send the packet, as it is too big.
        fileprivate(set) var isTooBig = false

        /// Whether packets of the probe go to an address and port.
        fileprivate func isSent(to address: IPAddress, port: UInt16) -> Bool {
            self.address.isAnswered(by: address)
                && (probe.destination.method == .icmp || probe.destination.port == port)
        }
    }

    /// A hop of a flow whose answers do not show to which probe they belong.
    private struct Hop: Hashable {
        let destination: PathDestination
        let flow: Int
        let number: Int

        init(_ probe: PathProbe) {
            (destination, flow, number) = (probe.destination, probe.flow, probe.hop)
        }
    }

    /// A random number of this process.
    let key: UInt32
    private(set) var counts = PathCounts()
    private var entries: [UInt32: Entry] = [:]
    /// The numbers of probes and their times, oldest first; some are gone already.
    private var order: ArraySlice<(number: UInt32, sent: Duration)> = []
    private var ownSocketHops: Set<Hop> = []

    init(key: UInt32 = .random(in: .min ... .max)) {
        self.key = key
    }

    /// The number of probes that wait for an answer, or whose answer may still arrive.
    var count: Int { entries.count }

    /// Whether the probe needs a socket that no other probe uses.
    func needsOwnSocket(_ probe: PathProbe) -> Bool {
        !ownSocketHops.isEmpty && ownSocketHops.contains(Hop(probe))
    }

    /// Whether a probe of a socket is in the table.
    func hasEntry(of socket: Int) -> Bool {
        entries.values.contains { $0.socket == socket }
    }

    /// A probe that waits for an answer, or whose answer may still arrive.
    func entry(_ number: UInt32) -> Entry? { entries[number] }

    /// Adds a probe before it is sent.
    mutating func add(_ entry: Entry) {
        entries[entry.probe.number] = entry
        order.append((entry.probe.number, entry.sent))
    }

    /// Marks a probe that this machine refused to send.
    mutating func markTooBig(_ number: UInt32) {
        entries[number]?.isTooBig = true
    }

    /// Removes a probe whose answer cannot arrive any more: it was not sent, or its own socket is closed.
    @discardableResult
    mutating func remove(_ number: UInt32) -> Entry? {
        entries.removeValue(forKey: number)
    }

    /// Ends the wait for an answer. Returns the probe, which stays in the table if its answer may still arrive.
    mutating func forget(_ number: UInt32) -> Entry? {
        entries[number]?.isWaiting = false
        return entries[number]
    }

    /// Removes the abandoned probes whose answer will not arrive any more.
    mutating func expire(at now: Duration) {
        while let first = order.first, now - first.sent >= Self.retention {
            order.removeFirst()
            if let entry = entries[first.number], entry.sent == first.sent { entries[first.number] = nil }
        }
    }

    /// Finds the probe that an error message is about, and removes it.
    ///
    /// - Parameters:
    ///   - quotation: the quoted packet from the payload of a datagram, or from the header of an echo request.
    ///   - destination: the destination of the quoted packet, and its port.
    ///   - socket: the socket to which the kernel assigned the message by the quoted ports or identifier.
    mutating func claim(
        quoting quotation: ArraySlice<UInt8>,
        to destination: IPAddress,
        port: UInt16,
        of socket: Int,
        layout: PathLayout
    ) -> Entry? {
        if let number = layout.number(in: quotation), let entry = entries[number], entry.socket == socket,
            entry.packet?.layout == layout, entry.isSent(to: destination, port: port),
            entry.packet?.match(quotation) == .identity
        {
            return end(entry, isCertain: true)
        }
        return onlyCandidate(of: socket, layout) {
            $0.isSent(to: destination, port: port) && $0.packet?.match(quotation) == .beginning
        }
    }

    /// Finds the probe that a datagram or an echo reply answers, and removes it.
    mutating func claim(
        answeredBy answer: ArraySlice<UInt8>,
        from source: IPAddress,
        port: UInt16,
        of socket: Int,
        layout: PathLayout
    ) -> Entry? {
        if let number = layout.number(in: answer), let entry = entries[number], entry.socket == socket,
            entry.packet?.layout == layout, entry.packet?.isReturned(by: answer) == true
        {
            return end(entry, isCertain: true)
        }
        guard layout != .echo else {
            counts.unmatched += 1
            return nil
        }
        return onlyCandidate(of: socket, layout) { $0.isSent(to: source, port: port) }
    }

    /// Finds a probe that this machine did not send because of its size, and removes it.
    mutating func claimTooBig(to destination: IPAddress?, of socket: Int) -> Entry? {
        let refused = entries.values.filter { entry in
            entry.isTooBig && entry.socket == socket && destination.map(entry.address.isAnswered) ?? true
        }
        return refused.min { $0.sent < $1.sent }.flatMap { end($0, isCertain: true) }
    }

    /// Returns the answered probe of a connection, and removes it.
    mutating func claimConnection(_ number: UInt32) -> Entry? {
        entries[number].flatMap { end($0, isCertain: true) }
    }

    /// Counts an answer that belongs to no probe.
    mutating func countUnmatched() {
        counts.unmatched += 1
    }

    /// Counts an answer to one of several packets of one probe.
    mutating func countAmbiguous() {
        counts.ambiguous += 1
    }

    /// Finds the only probe of a socket that can have caused an answer; nil if there are several.
    private mutating func onlyCandidate(
        of socket: Int,
        _ layout: PathLayout,
        where isCandidate: (Entry) -> Bool
    ) -> Entry? {
        let candidates = entries.values.filter {
            $0.socket == socket && $0.packet?.layout == layout && !$0.isTooBig && isCandidate($0)
        }
        guard let first = candidates.first else {
            counts.unmatched += 1
            return nil
        }
        guard candidates.count > 1 else { return end(first, isCertain: false) }
        counts.ambiguous += 1
        if ownSocketHops.count > Self.maxOwnSockets { ownSocketHops = [] }
        for entry in candidates where entry.isWaiting { ownSocketHops.insert(Hop(entry.probe)) }
        return nil
    }

    /// Ends a probe that has its answer.
    ///
    /// - Parameter isCertain: whether the answer has the probe's identity. Another answer without it may be a repetition.
    private mutating func end(_ entry: Entry, isCertain: Bool) -> Entry? {
        if isCertain {
            entries[entry.probe.number] = nil
            if entry.packet != nil, !ownSocketHops.isEmpty { ownSocketHops.remove(Hop(entry.probe)) }
        } else {
            entries[entry.probe.number]?.isWaiting = false
        }
        guard entry.isWaiting else {
            counts.late += 1
            return nil
        }
        return entry
    }
}

/// The numbers of answers that were dropped.
package struct PathCounts: Sendable, Hashable {
    /// Answers that quote no probe: forged, damaged, or repeated; on a raw socket, also those to other processes.
    package var unmatched = 0
    /// Answers that more than one probe can have caused.
    package var ambiguous = 0
    /// Answers to abandoned probes.
    package var late = 0
}
