#if Fetch

import ReachMonitoring

/// Sends the echo request of an ICMP module. Confined to its event loop.
final class BlackboxICMPProber {
    private let probe: BlackboxProbe
    private let options: ICMPOptions
    private var facts = BlackboxReport.ICMP()
    private var isSent = false

    init(_ probe: BlackboxProbe, _ options: ICMPOptions) {
        self.probe = probe
        self.options = options
    }

    /// Starts the probe.
    func begin() {
        probe.report.icmp = facts
        probe.expire = { self.fail("Timeout reading from socket", "timeout") }
        probe.resolve(probe.target) { self.send(to: $0) }
    }

    private func send(to address: IPAddress) {
        facts.phases["resolve"] = probe.report.lookup?.duration ?? .zero
        let prober = probe.lane.echoes
        let request = probe.request(.icmp(host: "", options), to: address)
        do {
            try prober.socket(for: request, options, to: address)
        } catch {
            return fail("Error listening to socket", error.summary)
        }
        facts.phases["setup"] = probe.lane.time() - request.made
        probe.log(.debug, "Writing out packet")
        probe.lane.awaitOutcome(of: request) { self.receive($0) }
        prober.send(request)
        isSent = true
    }

    private func receive(_ outcome: Outcome) {
        guard case .reply(let reply) = outcome else {
            return fail(isSent ? "Error reading from socket" : "Error writing to socket", outcome.logText)
        }
        facts.phases["rtt"] = reply.roundTrip ?? .zero
        facts.hopLimit = probe.lane.echoes.hopLimit
        probe.log(.debug, "Found matching reply packet")
        finish(true)
    }

    private func fail(_ message: String, _ reason: String) {
        probe.log(.error, message, ["err": reason])
        finish(false)
    }

    private func finish(_ isSuccess: Bool) {
        probe.report.icmp = facts
        probe.end(isSuccess)
    }
}

#endif
