import Monitoring
import NIOCore

extension HTTPOptions {
    /// Whether this status is an expected one.
    func expects(_ status: Int) -> Bool {
        self.status.isEmpty ? (200...299).contains(status) : self.status.contains(status)
    }

    /// What is wrong with a body; nil if nothing is. Takes long for a long body: never on an event loop.
    static func trouble(with body: ByteBuffer, isCut: Bool, expecting pattern: String) -> Outcome? {
        let text = String(buffer: body)
        do {
            // Whole characters would cost far more, and what a line ends in would matter.
            let regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
            guard try regex.firstMatch(in: text) == nil else { return nil }
        } catch {
            return .fault(Fault(.internal, detail: "body is no regular expression: \(pattern)"))
        }
        let place = isCut ? "the first 1 MiB of the body" : "the body"
        let quotation = String(quoting: body.readableBytesView.prefix(200), limit: 24)
        guard !quotation.isEmpty else { return .failure(Failure(.httpBody, detail: "no match in an empty body")) }
        return .failure(Failure(.httpBody, detail: "no match in \(place): \"\(quotation)\""))
    }
}
