extension Int64 {
    /// A number of bytes as a person reads it, to three figures: `0 B`, `999 B`, `1.2 kB`, `45 MB`, `1.1 GB`.
    var bytesText: String {
        guard self >= 1_000 else { return "\(Swift.max(0, self)) B" }
        var rest = Double(self)
        for unit in ["kB", "MB", "GB", "TB", "PB"] {
            rest /= 1_000
            if rest < 9.95 {
                let tenths = Int((rest * 10).rounded())
                return "\(tenths / 10).\(tenths % 10) \(unit)"
            }
            if rest < 999.5 { return "\(Int(rest.rounded())) \(unit)" }
        }
        return "\(Int(rest.rounded())) PB"
    }
}
