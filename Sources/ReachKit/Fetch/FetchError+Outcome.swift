import Fetching
import Monitoring

extension FetchError {
    /// What the end of a try has against it; nil when it brought what was wanted.
    init?(_ outcome: FetchOutcome, allowsNothing: Bool, longestBody: Int) {
        switch outcome {
        case .answer(let answer):
            guard (200...299).contains(answer.status) else {
                self = .status(Fetch.Answer(answer))
                return
            }
            switch answer.ending {
            case .whole where allowsNothing || !answer.body.isEmpty: return nil
            case .whole: self = .emptyBody
            case .cut: self = .tooLong(limit: longestBody)
            case .timeout: self = .network(Fetch.Trouble(.silence, after: answer.status))
            case .lost(let failure): self = .network(Fetch.Trouble(.failure(failure), after: answer.status))
            }
        case .timeout: self = .network(Fetch.Trouble(.silence))
        // What a redirect leads to is another matter, and bears its status.
        case .failure(let failure) where failure.reason == .protocolError && failure.httpStatus == nil:
            self = .notHTTP(failure.detail)
        case .failure(let failure): self = .network(Fetch.Trouble(.failure(failure)))
        case .fault(let fault): self = .network(Fetch.Trouble(.fault(fault)))
        case .cancelled: self = .cancelled
        }
    }
}

extension Fetch.Answer {
    /// Whether the same request may be answered otherwise.
    var mayPass: Bool {
        switch ending {
        case .whole, .cut: Reason.passingStatuses.contains(status)
        case .lost(let trouble): trouble.mayPass
        }
    }

    /// The answer in words.
    var summary: String {
        if case .lost(let trouble) = ending { trouble.description } else { "HTTP \(status)" }
    }
}
