import Logging
import Monitoring

extension Logger {
    /// Logs that the address in use is no longer an address of the name.
    func moved(_ name: String, from old: String, to new: String) {
        info("address of the name has changed", metadata: ["name": "\(name)", "from": "\(old)", "to": "\(new)"])
    }

    /// Logs the end of a probe.
    func ended(_ observation: Observation, of watch: WatchedTarget) {
        // Checked here too: building the message touches memory that is not in the cache.
        guard logLevel <= .trace else { return }
        trace(
            "probe ended: \(observation.summary)",
            metadata: ["target": "\(watch.target.label)", "sequence": "\(observation.sequence)"]
        )
    }
}
