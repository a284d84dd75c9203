/// The destination of the bodies of good responses. Bodies are written in pieces: the next piece is read from the
/// connection once this one is written, so memory stays bounded for any length.
package protocol BodySink: Sendable {
    /// The number of bytes that cannot be undone. If there are any, an incomplete body cannot be restarted.
    var committedBytes: Int64 { get }

    /// Begins a body, and discards what was written of an incomplete one.
    ///
    /// - Parameter length: the length of the body in bytes; nil when the server does not send it.
    func begin(length: Int64?) async throws(Fetch.Error)
    /// Writes a piece of the body.
    func write(_ piece: [UInt8]) async throws(Fetch.Error)
    /// Completes the body.
    func finish() async throws(Fetch.Error)
    /// Removes an incomplete body where that is possible. Later writes fail.
    func discard()
}

extension BodySink {
    /// Whether an incomplete body can be restarted from its beginning.
    var canRestart: Bool { committedBytes == 0 }
}
