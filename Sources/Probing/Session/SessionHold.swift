import Monitoring
import NIOCore

/// One target's held connection, and what it takes to make it again.
struct SessionHold {
    let port: UInt16
    var machine: SessionMachine
    /// Where the next attempt goes, in the order of preference.
    private(set) var addresses: [IPAddress]
    /// Where the connection leads, or the last attempt went.
    var address: IPAddress
    /// Where attempts leave from, as the settings name it.
    var source: String?
    /// Where the next attempt leaves from; nil leaves the choice to the system.
    var origin: Origin?
    /// Tries to connect; nil once a connection stands.
    var connector: Connector?
    var channel: (any Channel)?
    /// Which connection or attempt is the present one; nil while there is none.
    var attempt: Int?
    /// A connection that is over, and is closed when there is a way out again. Its farewell would have the kernel look
    /// for the peer's neighbour in vain, and what leaves for the peer within three seconds of that would fail with it;
    /// and the peer would not hear of it.
    private var stranded: (any Channel)?

    init(port: UInt16, machine: SessionMachine, addresses: [IPAddress]) {
        self.port = port
        self.machine = machine
        self.addresses = addresses
        address = addresses[0]
    }

    /// Takes other addresses for the next attempt.
    mutating func use(_ addresses: [IPAddress]) {
        guard addresses != self.addresses else { return }
        self.addresses = addresses
        address = addresses[0]
    }

    /// A connection stands.
    mutating func opened(_ channel: any Channel, to address: IPAddress) {
        self.channel = channel
        self.address = address
        if addresses[0] != address { addresses = [address] + addresses.filter { $0 != address } }
    }

    /// Where the connection leads that stands; nil while none does.
    var peer: IPAddress? {
        channel?.remoteAddress.flatMap { IPAddress($0) }
    }

    /// Leaves the connection; what it says from now on is nobody's.
    ///
    /// - Returns: What is to be closed now.
    mutating func leave() -> (any Channel)? {
        defer { (channel, attempt) = (nil, nil) }
        connector?.cancel()
        connector = nil
        guard machine.isWaiting, channel?.isActive == true else { return channel }
        let earlier = release()
        stranded = channel
        // For as long, nothing is said on it either.
        _ = channel?.setOption(.socketOption(.so_keepalive), value: 0)
        return earlier
    }

    /// Gives up the connection that was left without a way out, for it to be closed.
    mutating func release() -> (any Channel)? {
        defer { stranded = nil }
        return stranded
    }

    /// Why no packet could leave for the peer; nil where one could.
    ///
    /// - Parameter network: the interfaces, where they have just been read.
    func lackOfWayOut(in network: LocalNetwork? = nil) -> Failure? {
        // What the peer says to a connection comes back to the address that it left from, whatever other way there is.
        if let local = channel?.localAddress.flatMap({ IPAddress($0) }) {
            return address.lackOfWayOut(leaving: .address(local), in: network)
        }
        var first: Failure?
        for address in addresses {
            guard let lack = address.lackOfWayOut(leaving: origin, in: network) else { return nil }
            first = first ?? lack
        }
        return first
    }

    /// What the end of an attempt or a connection says about it. A host that cannot be reached is one thing, a machine that has no way to
    /// reach it another, and some kernels have one number for both.
    func cause(of outcome: Outcome) -> SessionState.Cause? {
        let cause = SessionState.Cause(outcome)
        guard case .failure(let failure)? = cause, failure.reason == .hostUnreachable else { return cause }
        return lackOfWayOut().map { .failure($0) } ?? cause
    }
}
