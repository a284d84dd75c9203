extension Duration {
    /// The duration as the settings write it, in the largest unit that it is a whole number of: `90s`, `1500ms`.
    var settingsText: String {
        let units: [(name: String, nanoseconds: Int64)] = [
            ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
            ("ms", 1_000_000),
        ]
        let (seconds, attoseconds) = components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        guard let unit = units.first(where: { nanoseconds % $0.nanoseconds == 0 }), nanoseconds > 0 else {
            return nanoseconds == 0 ? "0s" : "\(nanoseconds / 1_000)us"
        }
        return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
    }
}
