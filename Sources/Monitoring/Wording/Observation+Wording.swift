extension Observation {
    /// How the probe ended, as the rest of a sentence that begins with the target's name: `reply in 0.812ms`.
    public var summary: String {
        switch outcome {
        case .reply(let reply):
            let took = reply.roundTrip.map { "reply in \($0.decimal(.milliseconds(1), places: 3))ms" } ?? "reply"
            return (reply.concern ?? reply.detail).map { "\(took): \($0)" } ?? took
        case .timeout: return "no answer"
        case .failure(let failure): return failure.detail
        case .fault(let fault): return "cannot be asked: \(fault.detail)"
        }
    }
}
