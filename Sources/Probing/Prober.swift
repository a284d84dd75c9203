import Monitoring

/// What can ask by one method. Lives on the event loop, is told the time and tells its findings; one probe's end is
/// told once, and never again after ``void(at:)``.
protocol Prober: AnyObject {
    /// The first deadline of a probe under way.
    var nextDeadline: Duration? { get }

    /// Asks. The probe's address is known.
    func ask(_ probe: Probe)
    /// Ends the probes whose deadline has passed.
    func expire(at time: Duration)
    /// Ends all probes under way; nothing is said of them.
    func void(at time: Duration)
    /// Closes what no probe of these questions needs.
    func keep(for questions: [Question])
}
