extension Finding {
    /// The finding with secrets replaced in the texts of peers.
    package func redacted(by redaction: Redaction) -> Finding {
        guard case .observation(let one) = self else { return self }
        let outcome: Outcome
        switch one.outcome {
        case .failure(let failure):
            outcome = .failure(failure.redacted(by: redaction))
        case .reply(var reply):
            guard let detail = reply.detail else { return self }
            reply.detail = redaction.text(detail)
            outcome = .reply(reply)
        case .fault, .timeout:
            return self
        }
        return .observation(
            Observation(
                target: one.target,
                sequence: one.sequence,
                sent: one.sent,
                time: one.time,
                outcome: outcome,
                address: one.address
            )
        )
    }
}
