import Monitoring
import NIOCore

extension HTTPOptions {
    /// Whether this status is an expected one.
    func expects(_ status: Int) -> Bool {
        self.status.isEmpty ? (200...299).contains(status) : self.status.contains(status)
    }

    /// What is wrong with a body in which the expected pattern was not found.
    static func failure(of body: ByteBuffer, isCut: Bool) -> Failure {
        let place = isCut ? "the first 1 MiB of the body" : "the body"
        let quotation = String(quoting: body.readableBytesView.prefix(200), limit: 24)
        guard !quotation.isEmpty else { return Failure(.httpBody, detail: "no match in an empty body") }
        return Failure(.httpBody, detail: "no match in \(place): \"\(quotation)\"")
    }
}
