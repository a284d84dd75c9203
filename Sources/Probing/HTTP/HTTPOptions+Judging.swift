import Monitoring
import NIOCore

extension HTTPOptions {
    /// Whether this status is an expected one.
    func expects(_ status: Int) -> Bool {
        self.status.isEmpty ? (200...299).contains(status) : self.status.contains(status)
    }

    /// What is wrong with an answer in whose body the expected pattern was not found.
    static func failure(of answer: HTTPAnswer) -> Failure {
        let place = answer.isCut ? "the first 1 MiB of the body" : "the body"
        let quotation = String(quoting: answer.body.readableBytesView.prefix(200), limit: 24)
        let detail = quotation.isEmpty ? "no match in an empty body" : "no match in \(place): \"\(quotation)\""
        return Failure(.httpBody, detail: detail, httpStatus: answer.status)
    }
}
