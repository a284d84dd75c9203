extension Duration {
    /// Whole nanoseconds, rounded toward zero; saturates after 292 years.
    public var nanoseconds: Int64 {
        // One division of 128 bits, where `components` takes two.
        Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// The duration in seconds.
    public var inSeconds: Double {
        self / .seconds(1)
    }

    /// How many `unit`s this is, with exactly so many decimal places, rounded half up: `0.812`, for machines.
    public func decimal(_ unit: Duration, places: Int) -> String {
        let factor = (0..<places).reduce(Int64(1)) { product, _ in product * 10 }
        let scaled = Int64((self / unit * Double(factor)).rounded())
        guard places > 0 else { return String(scaled) }
        let fraction = String(scaled.magnitude % UInt64(factor))
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / UInt64(factor)).\(zeros)\(fraction)"
    }
}
