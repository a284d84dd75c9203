import Logging
import Monitoring
import Probing

/// Waits until a host accepts connections, by the prober that the dashboard has.
actor HostWait {
    private let prober: ProbeEngine
    private let question: Question
    private var waits = 0

    init(for question: Question, by prober: ProbeEngine) {
        self.question = question
        self.prober = prober
    }

    /// Asks four times a second, the first time at once, and returns at the first reply or when the task is cancelled.
    ///
    /// - Parameter onLoss: is told why there was none, whenever that is another reason than before.
    func wait(onLoss: @Sendable (String) -> Void) async {
        // An answer that comes late is not taken for one to a later question.
        let id = Target.ID(waits)
        waits += 1
        let target = Target(
            name: question.authority,
            question: question,
            interval: .milliseconds(250),
            // Long enough for the second packet of a connection, which the system sends after one second.
            timeout: .seconds(3)
        )
        prober.perform(.watch([ProbeRequest.Assignment(id: id, target: target)]))
        prober.perform(.now([id]))
        defer { prober.perform(.forget([id])) }
        var last: String?
        for await findings in prober.findings {
            for case .observation(let observation) in findings where observation.target == id {
                guard let cause = observation.outcome.cause else { return }
                if cause != last { onLoss(cause) }
                last = cause
            }
        }
    }
}

extension Outcome {
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
