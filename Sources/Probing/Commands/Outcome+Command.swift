import Monitoring
import ReachBasics

extension Outcome {
    /// Creates the outcome from the exit status of a command: 0 is up, 1 is down, 2 is degraded.
    init(of result: HookResult, from question: Question) {
        let line = result.output.firstLine
        switch result.status {
        case .exited(0):
            self = .reply(Reply(roundTrip: result.duration, detail: line))
        case .exited(1):
            self = .failure(Failure(.exitStatus, detail: line ?? "exit status 1"))
        case .exited(2):
            self = .reply(Reply(roundTrip: result.duration, detail: line, concern: line ?? "exit status 2"))
        case .exited(let status) where (126...127).contains(status) && question.isShellLine:
            // The shell could not run the command (POSIX, 2.8.2), so the target was not probed.
            self = .fault(Fault(.internal, detail: line ?? "exit status \(status)"))
        case .exited(let code):
            let status = "exit status \(code)"
            self = .failure(Failure(.exitStatus, detail: line.map { "\(status): \($0)" } ?? status))
        case .signalled(let signal):
            self = .failure(Failure(.exitStatus, detail: "killed by signal \(signal)"))
        case .timedOut, .cancelled:
            self = .timeout
        case .notStarted(let why):
            self = .fault(Fault(.internal, detail: why))
        case .answered, .unanswered:
            self = .fault(Fault(.internal, detail: "a command ended with the result of a request"))
        }
    }
}

extension Question {
    fileprivate var isShellLine: Bool {
        if case .exec(.shell) = self { true } else { false }
    }
}

extension String {
    /// The first line that is not blank, shortened and without control characters.
    fileprivate var firstLine: String? {
        let limit = 60
        for line in split(whereSeparator: \.isNewline) {
            let shown = line.unicodeScalars
                .map { $0 == "\t" ? " " : $0 }
                .filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
            let trimmed = String(String.UnicodeScalarView(shown)).trimmed
            if !trimmed.isEmpty { return trimmed.count > limit ? trimmed.prefix(limit - 1) + "…" : trimmed }
        }
        return nil
    }
}
