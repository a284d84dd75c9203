package import Monitoring
package import Probing

/// The backend of a prober: it performs probe requests and delivers findings. Production code uses the probe engine,
/// tests use a script.
package protocol ProbeBackend: AnyObject, Sendable {
    associatedtype Batches: AsyncSequence<[Finding], Never> & Sendable

    /// The findings, in batches, for a single consumer.
    var batches: Batches { get }

    /// Performs a request asynchronously. Requests are performed in the order of the calls.
    func perform(_ request: ProbeRequest)

    /// Closes every socket and finishes ``batches``.
    func shutdown() async
}

extension ProbeEngine: ProbeBackend {
    package var batches: Findings { findings }
}
