import Monitoring

/// The format of the marks of a round trip axis: all in the unit of the largest, with as many decimal places as the
/// step needs.
struct RoundTripAxis: Sendable, Hashable {
    /// A unit of round trips.
    private enum Unit: Sendable, Hashable {
        case seconds, milliseconds, microseconds

        var name: String {
            switch self {
            case .seconds: "s"
            case .milliseconds: "ms"
            case .microseconds: "µs"
            }
        }

        var length: Duration {
            switch self {
            case .seconds: .seconds(1)
            case .milliseconds: .milliseconds(1)
            case .microseconds: .microseconds(1)
            }
        }
    }

    private let unit: Unit
    private let places: Int

    init(top: Duration, step: Duration) {
        let unit: Unit =
            top >= .seconds(1) ? .seconds : top >= .milliseconds(1) ? .milliseconds : .microseconds
        self.unit = unit
        // A step of 1.5 needs one more decimal place than a step of 1 or 2.
        let ratio = step / unit.length
        places =
            (0...3).first { places in
                let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
                return (ratio * factor).rounded() >= 1 && abs(ratio * factor - (ratio * factor).rounded()) < 1e-6
            } ?? 3
    }

    func text(_ value: Duration) -> String {
        value == .zero ? "0" : "\(value.decimal(unit.length, places: places))\(unit.name)"
    }
}
