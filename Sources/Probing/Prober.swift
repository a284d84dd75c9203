import Monitoring

/// What can ask by one method. Lives on the event loop, is told the time and tells its findings; one probe's end is
/// told once, and never again after ``void(at:)``.
protocol Prober: AnyObject {
    /// The first deadline of a probe under way.
    var nextDeadline: Duration? { get }

    /// Asks. The probe's address is known.
    func ask(_ probe: Probe)
    /// Sends a probe of a name that has several addresses, of which `probe.address` is the first. A prober that connects
    /// races them; the probe ends with the address that its outcome came from.
    func ask(_ probe: Probe, trying addresses: [IPAddress])
    /// Ends the probes whose deadline has passed.
    func expire(at time: Duration)
    /// Takes in what has come and was not told yet.
    ///
    /// - Parameter isPolled: whether this is called often enough for nothing else to wake the loop for what comes.
    func listen(isPolled: Bool)
    /// Ends all probes under way; nothing is said of them.
    func void(at time: Duration)
    /// Closes what no probe of these questions needs.
    func keep(for questions: [Question])
    /// Closes what it holds for this target and ends its probes under way; nothing is said of them.
    func forget(_ target: Target.ID)
    /// The links, addresses or routes of this machine have changed; these are the links and addresses now.
    func adapt(to network: LocalNetwork, at time: Duration)
    /// The host of this target may be back: an attempt that waits begins now.
    func retry(_ target: Target.ID, at time: Duration)
    /// Who answers the next probe of this target, whatever its name stands for by now; nil where the name decides.
    func peer(of target: Target.ID) -> IPAddress?
}

extension Prober {
    /// Most send a probe to one address at a time.
    func ask(_ probe: Probe, trying addresses: [IPAddress]) { ask(probe) }
    /// Most are told at once.
    func listen(isPolled: Bool) {}
    /// Most hold nothing between two probes.
    func forget(_ target: Target.ID) {}
    /// Most find out when they ask next.
    func adapt(to network: LocalNetwork, at time: Duration) {}
    /// Most wait for nothing between two probes.
    func retry(_ target: Target.ID, at time: Duration) {}
    /// Most know nobody between two probes.
    func peer(of target: Target.ID) -> IPAddress? { nil }
}

/// Inside this module, a fault ends an attempt to ask; it leaves the module as an outcome.
extension Fault: Error {}

/// Inside this module, a failure may end an attempt as an error does; it leaves the module as an outcome.
extension Failure: Error {}
