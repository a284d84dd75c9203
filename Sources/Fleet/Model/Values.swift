import Monitoring

extension Health {
    /// The health by the value of a probe: 1 for up, 0 for down. Anything else is unknown, such as a rate of zero divided
    /// by zero.
    init(probe value: Double) {
        self = value.isNaN ? .unknown : value > 0 ? .up : .down
    }
}

extension Duration {
    /// A round trip in seconds; nil for a value that is none.
    init?(roundTrip seconds: Double) {
        guard seconds.isFinite, seconds >= 0, seconds < 86_400 else { return nil }
        self = .seconds(seconds)
    }
}
