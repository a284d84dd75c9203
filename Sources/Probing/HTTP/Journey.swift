import Monitoring

/// A probe on its way through redirects and repetitions, over one connection at a time. Confined to its event loop.
final class Journey {
    /// The probe, with the address of its own host that was connected to last.
    private(set) var probe: Probe
    let first: HTTPQuestion
    /// The addresses of the probe's own host, the one that was connected to last first.
    private(set) var addresses: [IPAddress]
    /// What is asked now.
    var question: HTTPQuestion
    /// How often it may yet begin anew.
    var retries: Int
    var stopwatch: Stopwatch
    var connection: Connection?
    /// Counts connections and look-ups, so that what an earlier one has to say is known as nobody's.
    var step = 0
    /// The first moment at which a certificate on the way expires, in seconds since 1970.
    var expiry: Int64?

    /// Whether the body is being searched.
    var isSearching = false

    /// Whether a redirect has led to another host, which is the server's choice and not the user's.
    var isElsewhere: Bool { question.host != first.host }

    init(_ probe: Probe, asking question: HTTPQuestion, at addresses: [IPAddress]) {
        self.probe = probe
        self.addresses = addresses
        self.question = question
        first = question
        retries = question.options.retries
        stopwatch = Stopwatch(at: probe.made)
    }

    /// Leaves the connection; whatever it has to say from now on is nobody's.
    ///
    /// - Parameter inOrder: whether the peer may still say goodbye.
    func leave(inOrder: Bool = false) {
        step += 1
        if inOrder { connection?.close() } else { connection?.drop() }
        connection = nil
        isSearching = false
    }

    /// Keeps the address of the present connection, if it leads to the probe's own host.
    func noteAddress() {
        guard question.host == first.host, let address = connection?.address, address != probe.address else { return }
        probe.address = address
        addresses = [address] + addresses.filter { $0 != address }
    }

    /// Goes back to the beginning.
    func beginAnew(at time: Duration) {
        leave()
        retries -= 1
        question = first
        stopwatch = Stopwatch(at: time)
        expiry = nil
    }
}
