import Logging
import Monitoring

extension Logger {
    /// A name stands for another address.
    func moved(_ name: String, from old: String, to new: String) {
        info("name stands for another address", metadata: ["name": "\(name)", "from": "\(old)", "to": "\(new)"])
    }

    /// A probe has ended.
    func ended(_ observation: Observation, of target: Target) {
        trace(
            "probe ended: \(observation.summary)",
            metadata: ["target": "\(target.label)", "sequence": "\(observation.sequence)"]
        )
    }
}
