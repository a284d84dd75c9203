import Monitoring

/// The format of the marks of a round trip axis: all in the unit of the largest, with as many decimal places as the
/// step needs.
struct RoundTripAxis: Sendable, Hashable {
    private let unit: (name: String, length: Duration)
    private let places: Int

    init(top: Duration, step: Duration) {
        unit = top >= .seconds(1) ? ("s", .seconds(1)) : ("ms", .milliseconds(1))
        let ratio = step / unit.length
        // A step of 1.5 needs one more decimal place than a step of 1 or 2.
        places =
            (0...3).first { places in
                let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
                return (ratio * factor).rounded() >= 1 && abs(ratio * factor - (ratio * factor).rounded()) < 1e-6
            } ?? 3
    }

    func text(_ value: Duration) -> String {
        value == .zero ? "0" : "\(value.decimal(unit.length, places: places))\(unit.name)"
    }

    static func == (one: Self, other: Self) -> Bool {
        one.places == other.places && one.unit.length == other.unit.length
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(places)
        hasher.combine(unit.length)
    }
}
