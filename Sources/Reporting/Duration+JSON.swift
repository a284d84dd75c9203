import Monitoring

extension Duration {
    /// Seconds, to a millisecond: for what people wait for.
    var millisecondPrecision: Double { (inSeconds * 1_000).rounded() / 1_000 }

    /// Seconds, to a microsecond: for round trips and their parts.
    var microsecondPrecision: Double { (inSeconds * 1_000_000).rounded() / 1_000_000 }
}

extension [Reply.PhaseTime] {
    /// The parts of a round trip, in seconds, by their names; nil where there are none.
    var bySeconds: [String: Double]? {
        guard !isEmpty else { return nil }
        let pairs = map { ($0.phase.rawValue, $0.duration.microsecondPrecision) }
        return Dictionary(pairs) { one, other in one + other }
    }
}

extension Double {
    /// Rounded to three digits after the point.
    var thousandths: Double { (self * 1_000).rounded() / 1_000 }
}
