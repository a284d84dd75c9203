#if Fetch
/// The destination of the bodies of good responses. Bodies are written in pieces: the next piece is read from the
/// connection once this one is written, so memory stays bounded for any length.
package protocol BodySink: Sendable {
    /// The number of bytes that cannot be undone. If there are any, an incomplete body cannot be restarted.
    var committedBytes: Int64 { get }

    /// Whether an incomplete body can be restarted from its beginning.
    var canRestart: Bool { get }

    /// The number of bytes of the current body so far; nil where an incomplete body cannot be continued.
    var receivedBytes: Int64? { get }

    /// Begins a body, and discards what was written of an incomplete one.
    ///
    /// - Parameter head: status and header fields; nil for a body that is not from a server.
    func begin(with head: Fetch.Response?) async throws(Fetch.Error)
    /// Writes a piece of the body.
    func write(_ piece: [UInt8]) async throws(Fetch.Error)
    /// Completes the body.
    func finish() async throws(Fetch.Error)
    /// Removes an incomplete body where that is possible. Later writes fail.
    func discard()
}

extension BodySink {
    /// Whether nothing was written that cannot be undone.
    package var canRestart: Bool { committedBytes == 0 }

    package var receivedBytes: Int64? { nil }
}
#endif
