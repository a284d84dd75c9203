import Monitoring

extension TableReader {
    /// Takes the URL of a target.
    mutating func question(_ key: String) -> Question? {
        guard has(key) else {
            _ = value(key)
            reportMissing(key, hint: "such as url = \"icmp://192.0.2.1\" or url = \"tcp://nas.local:445\"")
            return nil
        }
        guard let url = text(key) else { return nil }
        do {
            return try Question(url)
        } catch {
            report(error.message, hint: error.hint, about: key)
            return nil
        }
    }
}
