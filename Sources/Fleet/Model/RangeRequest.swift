/// What is asked about the past of a target, independent of the servers' clocks.
package struct RangeRequest: Sendable, Hashable {
    package let values: RangeQuestion.Values
    /// The length of the time until now, in seconds.
    package let seconds: Int64
    /// The step that is wanted, in seconds.
    package let step: Int64

    package init(_ values: RangeQuestion.Values, seconds: Int64, step: Int64) {
        (self.values, self.seconds, self.step) = (values, seconds, step)
    }

    /// The question for a server whose clock shows this time.
    func question(about target: String, endingAt time: Double) -> RangeQuestion {
        let end = Int64(max(0, min(1e11, time)))
        return RangeQuestion(
            target: target,
            values: values,
            span: QuerySpan(endingAt: end, seconds: seconds, step: step)
        )
    }
}
