import Monitoring
import Probing

/// What asks the network and hands over what it finds: the engine, or a test's script.
protocol Asker: AnyObject, Sendable {
    associatedtype Batches: AsyncSequence<[Finding], Never> & Sendable

    /// What was found, in batches; there is one consumer.
    var batches: Batches { get }

    /// Does what is asked for, soon and in the order of the calls.
    func perform(_ request: ProbeRequest)

    /// Closes every socket and ends the batches.
    func shutdown() async
}

extension ProbeEngine: Asker {
    var batches: Findings { findings }
}
