#if Fetch

import ReachMonitoring

extension Fetch {
    /// When a fetch waits until the host, or its proxy, accepts connections.
    ///
    /// The host is probed four times a second, in both address families, so that no try is used up by a host that is
    /// down.
    public enum Waiting: Sendable, Hashable, Codable {
        /// Never: a host that is down uses up a try.
        case never
        /// After each pause, for at most this long; then the next try follows in any case.
        case betweenTries(atMost: Duration)
        /// Before the first try as well, for a request that must not be sent twice; nil waits without a limit.
        case beforeEachTry(atMost: Duration?)

        /// Whether it waits after this many tries.
        func isDue(after tries: Int) -> Bool {
            switch self {
            case .never: false
            case .betweenTries: tries > 0
            case .beforeEachTry: true
            }
        }

        /// The longest wait; nil without a limit.
        var limit: Duration? {
            switch self {
            case .never: .zero
            case .betweenTries(let limit): limit
            case .beforeEachTry(let limit): limit
            }
        }
    }
}

/// A wait until a host accepts connections.
struct HostWait: Sendable {
    let question: Question
    let prober: Prober

    /// The size of the buffer of findings; the newest ones are kept.
    private static let bufferSize = 64

    /// Probes four times a second, the first time at once, and returns at the first reply or when the task is
    /// cancelled.
    ///
    /// A name is probed in both address families: the fetch connects by the one that answers.
    ///
    /// - Parameter onLoss: called with the error of a loss whenever its description changes.
    func wait(onLoss: @Sendable (Fetch.Error) -> Void) async {
        let isAddress = question.host?.contains(":") == true || question.host?.allSatisfy { !$0.isLetter } == true
        let targets = (isAddress ? [Family.any] : [.v4, .v6]).map { family in
            Target(
                name: question.authority,
                question: question,
                family: family,
                interval: .milliseconds(250),
                // Long enough for the retransmitted SYN, which the system sends after one second.
                timeout: .seconds(3)
            )
        }
        let (batches, batch) = AsyncStream.makeStream(
            of: [Finding].self,
            bufferingPolicy: .bufferingNewest(Self.bufferSize)
        )
        let client = prober.startClient { batch.yield($0) }
        let ids = targets.indices.map { Target.ID(client.firstID + $0) }
        defer { client.stop(forgetting: ids) }
        client.perform([
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
                guard let error = Self.error(outcomes), error.description != last else { continue }
                onLoss(error)
                last = error.description
            }
        }
    }

    /// The error of the losses; nil while there is none. A missing address of one family is reported only when the
    /// other family has none either.
    private static func error(_ outcomes: [Outcome?]) -> Fetch.Error? {
        let known = outcomes.compactMap(\.self)
        if let specific = known.first(where: { !$0.isNameNotFound }) { return specific.error }
        return known.count == outcomes.count ? known.first?.error : nil
    }
}

extension Outcome {
    fileprivate var isNameNotFound: Bool {
        if case .failure(let failure) = self { failure.reason == .nameNotFound } else { false }
    }

    /// The error of an outcome without a reply; nil for a reply.
    fileprivate var error: Fetch.Error? {
        switch self {
        case .reply: nil
        case .timeout: .timeout
        case .failure(let failure): .network(Fetch.TransportError(failure))
        case .fault(let fault): .fault(fault)
        }
    }
}

#endif
