/// The destination of the bodies of good responses, a piece at a time. The next piece is read from the connection when this
/// one is written, so that memory stays bounded however long a body is.
package protocol BodySink: Sendable {
    /// How many bytes have gone where they cannot be taken back. Once there are any, a body that broke off is final.
    var committedBytes: Int64 { get }

    /// Begins a body, and voids what was written of one that broke off.
    ///
    /// - Parameter length: how many bytes are to come; nil when the server does not say.
    func begin(length: Int64?) async throws(Fetch.Error)
    /// Writes a piece of the body.
    func write(_ piece: [UInt8]) async throws(Fetch.Error)
    /// Completes the body.
    func finish() async throws(Fetch.Error)
    /// Removes an incomplete body that can be taken back; later writes fail.
    func discard()
}

extension BodySink {
    /// Whether a body that broke off can be begun anew.
    var canRestart: Bool { committedBytes == 0 }
}
