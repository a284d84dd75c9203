import Monitoring
import NIOCore

/// The session of one target: its state machine, and the open connection or the current attempt.
struct SessionConnection {
    let port: UInt16
    var machine: SessionMachine
    /// The addresses for the next attempt, in order of preference.
    private(set) var addresses: [IPAddress]
    /// The address of the connection or of the last attempt.
    var address: IPAddress
    /// The source of attempts, from the settings.
    var source: String?
    /// The source of the next attempt; nil leaves the choice to the system.
    var origin: Origin?
    /// The current attempt to connect; nil once the connection is open.
    var connector: Connector?
    var channel: (any Channel)?
    /// The number of the current connection or attempt; nil while there is none.
    var attempt: Int?
    /// A connection that has ended for lack of a route, and is closed when there is a route again.
    ///
    /// Its FIN would not reach the peer, and would start a neighbour resolution that fails. Packets to the peer within
    /// the following three seconds would fail with it.
    private var stranded: (any Channel)?

    init(port: UInt16, machine: SessionMachine, addresses: [IPAddress]) {
        self.port = port
        self.machine = machine
        self.addresses = addresses
        address = addresses[0]
    }

    /// Sets the addresses for the next attempt.
    mutating func setAddresses(_ addresses: [IPAddress]) {
        guard addresses != self.addresses else { return }
        self.addresses = addresses
        address = addresses[0]
    }

    /// Records the open connection.
    mutating func opened(_ channel: any Channel, to address: IPAddress) {
        self.channel = channel
        self.address = address
        if addresses[0] != address { addresses = [address] + addresses.filter { $0 != address } }
    }

    /// The address of the open connection; nil while there is none.
    var peer: IPAddress? {
        channel?.remoteAddress.flatMap { IPAddress($0) }
    }

    /// Cancels the attempt or detaches the connection, whose later events are ignored.
    ///
    /// - Returns: The channel to close now.
    mutating func detach() -> (any Channel)? {
        defer { (channel, attempt) = (nil, nil) }
        connector?.cancel()
        connector = nil
        guard machine.isWaiting, channel?.isActive == true else { return channel }
        let earlier = releaseStranded()
        stranded = channel
        // Keep-alive probes would have the same effect as the FIN.
        _ = channel?.setOption(.socketOption(.so_keepalive), value: 0)
        return earlier
    }

    /// Removes and returns the stranded connection, for closing.
    mutating func releaseStranded() -> (any Channel)? {
        defer { stranded = nil }
        return stranded
    }

    /// Returns why this machine has no route to the peer; nil if it has one.
    ///
    /// - Parameter network: the interfaces, if they have just been read.
    func routeFailure(in network: LocalNetwork? = nil) -> Failure? {
        // An open connection depends on its local address, even if there are other routes.
        if let local = channel?.localAddress.flatMap({ IPAddress($0) }) {
            return address.routeFailure(leaving: .address(local), in: network)
        }
        var first: Failure?
        for address in addresses {
            guard let failure = address.routeFailure(leaving: origin, in: network) else { return nil }
            first = first ?? failure
        }
        return first
    }

    /// Returns the cause of the end of an attempt or a connection.
    ///
    /// Some kernels have one error number for an unreachable host and a missing route. This distinguishes them.
    func cause(of outcome: Outcome) -> SessionState.Cause? {
        let cause = SessionState.Cause(outcome)
        guard case .failure(let failure)? = cause, failure.reason == .hostUnreachable else { return cause }
        return routeFailure().map { .failure($0) } ?? cause
    }
}
