import Monitoring

/// The state of one HTTP probe across redirects and retries, with one connection at a time. Confined to its event loop.
final class HTTPAttempt {
    /// The probe, with the address of its own host that was connected to last.
    private(set) var probe: Probe
    let first: HTTPQuestion
    /// The addresses of the probe's own host; the one that was connected to last comes first.
    private(set) var addresses: [IPAddress]
    /// The current request.
    var question: HTTPQuestion
    /// The cookies of the redirects so far.
    var cookies = CookieJar()
    /// The number of retries left.
    var retries: Int
    var stopwatch: Stopwatch
    var connection: Connection?
    var exchange: HTTPExchange?
    /// The outcome if ``HTTPProber`` does not find its cause.
    var unexplained: Outcome?
    /// Counts connections and name lookups. A callback that was created under an earlier number is ignored.
    var generation = 0
    /// The earliest expiry of a certificate in the redirect chain, in seconds since 1970.
    var expiry: Int64?

    /// The pattern of the search in the response that is running.
    var searchedPattern: String?

    /// Whether a redirect has led to another host. The server has chosen that host, not the user.
    var isOnOtherHost: Bool { question.peerHost != first.peerHost }

    init(_ probe: Probe, requesting question: HTTPQuestion, at addresses: [IPAddress]) {
        self.probe = probe
        self.addresses = addresses
        self.question = question
        first = question
        retries = question.options.retries
        stopwatch = Stopwatch(at: probe.made)
    }

    /// Closes the connection, and ignores its later events.
    ///
    /// - Parameter isOrderly: whether the connection waits for the peer's part of the closure.
    func disconnect(isOrderly: Bool = false) {
        generation += 1
        if isOrderly { connection?.close() } else { connection?.drop() }
        connection = nil
        exchange = nil
        searchedPattern = nil
    }

    /// Records the address of the current connection, if it leads to the probe's own host.
    func recordAddress() {
        guard !isOnOtherHost, let address = connection?.address, address != probe.address else { return }
        probe.address = address
        addresses = [address] + addresses.filter { $0 != address }
    }

    /// Resets the attempt to the first request, for a retry.
    func restart(at time: Duration) {
        disconnect()
        retries -= 1
        question = first
        cookies = CookieJar()
        stopwatch = Stopwatch(at: time)
        expiry = nil
    }
}
