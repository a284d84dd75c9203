#if Fetch
extension Fetch {
    /// The progress of a fetch.
    public enum Event: Sendable, Hashable {
        /// This endpoint, `example.com:443`, does not accept connections, for this reason. Reported again when the
        /// reason changes.
        case waiting(for: String, because: String)
        /// The request is sent. Tries are counted from one.
        case sending(try: Int)
        /// This many tries have failed, the last one with this error. The next one follows after this pause.
        case pausing(Duration, tries: Int, after: Error)
        /// The body of a good response begins, or the rest of one that was cut off. Its length in bytes is nil when the
        /// server does not send it.
        case receiving(length: Int64?)
        /// This many more bytes of the body were received, and written where it goes to a file or a stream.
        case received(Int)
    }
}
#endif
