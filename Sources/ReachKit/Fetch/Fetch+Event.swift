extension Fetch {
    /// The progress of a fetch.
    public enum Event: Sendable, Hashable {
        /// This endpoint, `example.com:443`, does not accept connections, for this reason. Reported again when the reason
        /// changes.
        case waiting(for: String, because: String)
        /// The request is sent, by the try of this number, counted from one.
        case asking(try: Int)
        /// This many tries have failed, the last one with this error. The next one follows after a pause.
        case pausing(Duration, tries: Int, after: Error)
        /// A good response's body to a file or a stream begins: this many bytes, nil when the server does not say.
        case receiving(length: Int64?)
        /// This many more bytes of it were received and written.
        case received(Int)
    }
}
