public import Monitoring

/// How one try of a request ended.
public enum FetchOutcome: Sendable, Hashable {
    /// The server answered, whatever it said, and however much of the body came.
    case answer(FetchAnswer)
    /// Nothing came in time.
    case timeout
    /// There was no answer, for this reason.
    case failure(Failure)
    /// We could not ask.
    case fault(Fault)
    /// Whoever asked wants no answer any more.
    case cancelled

    /// The outcome in words, as part of a sentence: `HTTP 503`, `connection refused`.
    public var summary: String {
        switch self {
        case .answer(let answer):
            switch answer.ending {
            case .whole, .cut: "HTTP \(answer.status)"
            case .timeout: "HTTP \(answer.status), but the answer did not end in time"
            case .lost(let failure): "HTTP \(answer.status), but then: \(failure.detail)"
            }
        case .timeout: "no answer in time"
        case .failure(let failure): failure.detail
        case .fault(let fault): fault.summary
        case .cancelled: "cancelled"
        }
    }

    /// Whether another try may end better.
    public var mayPass: Bool {
        switch self {
        case .answer(let answer):
            switch answer.ending {
            case .whole, .cut: Reason.passingStatuses.contains(answer.status)
            case .timeout: true
            case .lost(let failure): failure.reason.mayPass
            }
        case .timeout: true
        case .failure(let failure): failure.reason.mayPass
        case .fault(let fault): fault.problem == .tooManyFiles || fault.problem == .noMemory
        case .cancelled: false
        }
    }

    /// How long the server asks to be left alone.
    var retryAfter: Duration? {
        guard case .answer(let answer) = self else { return nil }
        return answer.retryAfter
    }

    /// The outcome with the host that a redirect led to, where it is not that of the URL that was asked for.
    func after(hops: Int, to request: FetchRequest) -> FetchOutcome {
        guard hops > 0, case .failure(let failure) = self, let host = request.question?.host else { return self }
        return .failure(Failure(failure.reason, detail: "\(failure.detail), after a redirect to \(host)"))
    }
}
