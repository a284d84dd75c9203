/// The availability that is required of a target, the key `sla` of the settings.
package struct ServiceLevel: Sendable, Hashable {
    /// The required share of the time, in per cent.
    package let percent: Double

    package init(percent: Double) {
        self.percent = percent
    }

    /// The service level of a target without the key `sla`.
    package static let usual = ServiceLevel(percent: 99.9)
    /// The values of the key.
    package static let percents = 1.0...100.0

    /// So many times the unavailability that is allowed are far below the service level.
    package static let farFactor = 10.0

    /// How an availability compares with the service level.
    package enum Grade: Sendable, Hashable {
        /// At or above it.
        case met
        /// Below it.
        case missed
        /// More than ``ServiceLevel/farFactor`` times the allowed unavailability.
        case farMissed
    }

    /// The required share, 0…1.
    package var share: Double { percent / 100 }

    /// The availability, 0…1, below which the service level is missed by far; negative if none is.
    package var farShare: Double { 1 - (1 - share) * Self.farFactor }

    /// Compares an availability, 0…1, with the service level.
    package func grade(of availability: Double) -> Grade {
        // A share such as 99.9 % has no exact binary form.
        let tolerance = 1e-9
        if availability >= share - tolerance { return .met }
        return availability >= farShare - tolerance ? .missed : .farMissed
    }

    /// The service level in per cent: `99.9%`.
    package var text: String {
        let whole = percent.rounded()
        return "\(percent == whole ? String(Int(whole)) : String(percent))%"
    }
}
