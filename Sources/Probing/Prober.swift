import Monitoring

/// A type that probes targets by one method. Confined to its event loop. It reports the end of each probe once, and
/// never after ``void(at:)``.
protocol Prober: AnyObject {
    /// The earliest deadline of a probe in flight.
    var nextDeadline: Duration? { get }

    /// Sends a probe. Its address is known.
    func send(_ probe: Probe)
    /// Sends a probe of a name with several addresses, of which `probe.address` is the first. A prober that connects
    /// races them; the probe ends with the address that its outcome came from.
    func send(_ probe: Probe, trying addresses: [IPAddress])
    /// Ends the probes whose deadline has passed.
    func expire(at time: Duration)
    /// Reads the replies that have arrived and are not yet processed.
    ///
    /// - Parameter isPolled: whether the caller polls so often that arriving replies need not wake the loop.
    func listen(isPolled: Bool)
    /// Discards all probes in flight, without a report.
    func void(at time: Duration)
    /// Closes the sockets that no probe of these questions needs.
    func closeUnneeded(for questions: [Question])
    /// Closes the connections of this target and discards its probes in flight, without a report.
    func forget(_ target: Target.ID)
    /// Adapts to changed links, addresses or routes of this machine; `network` is the new state.
    func adapt(to network: LocalNetwork, at time: Duration)
    /// Starts a waiting attempt at once: the host of this target may be back.
    func retry(_ target: Target.ID, at time: Duration)
    /// The address that the next probe of this target goes to, independent of its name; nil where the name decides.
    func peer(of target: Target.ID) -> IPAddress?
}

extension Prober {
    /// Sends the probe to its first address.
    func send(_ probe: Probe, trying addresses: [IPAddress]) { send(probe) }
    /// Does nothing: most probers process replies as they arrive.
    func listen(isPolled: Bool) {}
    /// Does nothing: most probers keep no socket between two probes.
    func closeUnneeded(for questions: [Question]) {}
    /// Does nothing: most probers hold no connection between two probes.
    func forget(_ target: Target.ID) {}
    /// Does nothing: most probers notice changes with their next probe.
    func adapt(to network: LocalNetwork, at time: Duration) {}
    /// Does nothing: most probers have no waiting attempt between two probes.
    func retry(_ target: Target.ID, at time: Duration) {}
    /// Returns nil: most probers have no peer between two probes.
    func peer(of target: Target.ID) -> IPAddress? { nil }
}

/// Inside this module, a fault is thrown to end an attempt; it leaves the module as an outcome.
extension Fault: Error {}

/// Inside this module, a failure can be thrown to end an attempt; it leaves the module as an outcome.
extension Failure: Error {}
