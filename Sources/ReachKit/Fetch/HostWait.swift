import Monitoring

/// Waits until a host accepts connections.
struct HostWait: Sendable {
    let question: Question
    let prober: Prober

    /// What is found while nobody looks; the newest is what counts.
    private static let backlog = 64

    /// Asks four times a second, the first time at once, and returns at the first reply or when the task is cancelled.
    ///
    /// A name is asked in both families: whoever fetches connects by the one that answers.
    ///
    /// - Parameter onLoss: is told why there was none, whenever that is another reason than before.
    func wait(onLoss: @Sendable (String) -> Void) async {
        let isAddress = question.host?.contains(":") == true || question.host?.allSatisfy { !$0.isLetter } == true
        let targets = (isAddress ? [Family.any] : [.v4, .v6]).map { family in
            Target(
                name: question.authority,
                question: question,
                family: family,
                interval: .milliseconds(250),
                // Long enough for the second packet of a connection, which the system sends after one second.
                timeout: .seconds(3)
            )
        }
        let (batches, batch) = AsyncStream.makeStream(
            of: [Finding].self,
            bufferingPolicy: .bufferingNewest(Self.backlog)
        )
        let watch = prober.watch { batch.yield($0) }
        let ids = targets.indices.map { Target.ID(watch.firstID + $0) }
        defer { watch.end(asking: ids) }
        watch.perform([
            .watch(zip(ids, targets).map { ProbeRequest.Assignment(id: $0, target: $1) }),
            .now(ids),
        ])
        var outcomes = [Outcome?](repeating: nil, count: ids.count)
        var last: String?
        for await findings in batches {
            for case .observation(let observation) in findings {
                guard let index = ids.firstIndex(of: observation.target) else { continue }
                if case .reply = observation.outcome { return }
                outcomes[index] = observation.outcome
                guard let cause = Self.cause(outcomes), cause != last else { continue }
                onLoss(cause)
                last = cause
            }
        }
    }

    /// The closest word on why nobody answers; nil while there is none. That a name has no address of a family says
    /// nothing before the other family has none either.
    private static func cause(_ outcomes: [Outcome?]) -> String? {
        let known = outcomes.compactMap(\.self)
        if let close = known.first(where: { !$0.isForWantOfAName }) { return close.cause }
        return known.count == outcomes.count ? known.first?.cause : nil
    }
}

extension Outcome {
    fileprivate var isForWantOfAName: Bool {
        if case .failure(let failure) = self { failure.reason == .nameNotFound } else { false }
    }

    /// Why there was no reply, in words; nil for one.
    fileprivate var cause: String? {
        switch self {
        case .reply: nil
        case .timeout: "no answer in time"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.summary
        }
    }
}
