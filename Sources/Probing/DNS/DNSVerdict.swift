import Monitoring

/// The verdict whether an answer meets the expectations of a target.
enum DNSVerdict: Sendable, Hashable {
    /// The answer is as expected, with this summary.
    case expected(detail: String)
    /// The answer is not as expected.
    case failure(Failure)

    /// Judges an answer to `question`, which was queried as `name`.
    init(on answer: DNSAnswer, to question: DNSQuestion, under name: DNSName) {
        let found = answer.records(of: question.type, at: name)
        guard answer.responseCode == question.responseCode else {
            self = .failure(Self.failure(answer, question, found))
            return
        }
        guard question.responseCode == .noerror else {
            self = .expected(detail: answer.codeName)
            return
        }
        guard !found.isEmpty else {
            self = .failure(Failure(.answerMismatch, detail: "no \(question.type.name) record"))
            return
        }
        guard let expected = question.answer else {
            self = .expected(detail: Self.summary(found))
            return
        }
        if let match = found.firstIndex(where: { $0.matches(expected) }) {
            let others = found[..<match] + found[(match + 1)...]
            self = .expected(detail: Self.summary([found[match]] + others))
        } else {
            let detail = "\(Self.summary(found, verb: "is ")), not \(Self.shortened(expected))"
            self = .failure(Failure(.answerMismatch, detail: detail))
        }
    }

    private static func failure(_ answer: DNSAnswer, _ question: DNSQuestion, _ found: [DNSRecord]) -> Failure {
        switch answer.responseCode {
        case .servfail:
            Failure(.resolverFailed, detail: answer.codeName)
        case .nxdomain where question.responseCode == .noerror:
            Failure(.nameNotFound, detail: answer.codeName)
        case .noerror where !found.isEmpty:
            Failure(.answerMismatch, detail: "\(answer.codeName), \(summary(found))")
        default:
            Failure(.answerMismatch, detail: answer.codeName)
        }
    }

    /// Returns a summary on one line: `A 192.0.2.1 and 2 more`.
    private static func summary(_ records: [DNSRecord], verb: String = "") -> String {
        guard let first = records.first, let type = DNSQuestion.RecordType(rawValue: first.type) else { return "" }
        let rest = records.count > 1 ? " and \(records.count - 1) more" : ""
        return "\(type.name) \(verb)\(shortened(first.text))\(rest)"
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count > 40 ? "\(text.prefix(39))…" : text
    }
}
