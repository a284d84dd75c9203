import Logging
import Monitoring

extension Logger {
    /// The address in use is no longer one of the name's.
    func moved(_ name: String, from old: String, to new: String) {
        info("name stands for another address", metadata: ["name": "\(name)", "from": "\(old)", "to": "\(new)"])
    }

    /// A probe has ended.
    func ended(_ observation: Observation, of watch: Watch) {
        // Asked here, too: what the line is made of lies far away in memory.
        guard logLevel <= .trace else { return }
        trace(
            "probe ended: \(observation.summary)",
            metadata: ["target": "\(watch.target.label)", "sequence": "\(observation.sequence)"]
        )
    }
}
