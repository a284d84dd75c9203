extension Duration {
    /// The duration as the settings write it, which ``init(text:)`` reads again: `250ms`, `5s`, `1h30m`, `1s500ms`. What
    /// is below a microsecond is left out.
    public var settingsText: String {
        let units: [(name: String, microseconds: Int64)] = [
            ("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1),
        ]
        var rest = Swift.max(0, nanoseconds / 1_000)
        var text = ""
        for unit in units where rest >= unit.microseconds {
            text += "\(rest / unit.microseconds)\(unit.name)"
            rest %= unit.microseconds
        }
        return text.isEmpty ? "0s" : text
    }
}
