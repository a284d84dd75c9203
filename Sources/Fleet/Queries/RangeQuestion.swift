/// What is asked about the past of a target.
package struct RangeQuestion: Sendable, Hashable {
    /// The kind of the values.
    package enum Values: Sendable, Hashable {
        /// The share of probes that the target answered in each step, 0…1.
        case shares
        /// Whether the target answered.
        case probes
        /// Round trips in seconds.
        case roundTrips
    }

    package let target: String
    package let values: Values
    package let span: QuerySpan

    package init(target: String, values: Values, span: QuerySpan) {
        self.target = target
        self.values = values
        self.span = span
    }
}
