extension Fetch {
    /// How far a fetch is.
    public enum Event: Sendable, Hashable {
        /// Nobody accepts a connection at this place, `example.com:443`, for this reason; told again when the reason
        /// changes.
        case waiting(for: String, because: String)
        /// The request goes out for this time, counted from one.
        case asking(try: Int)
        /// So many tries have failed, the last one so; the next one comes after a pause.
        case pausing(Duration, tries: Int, after: FetchError)
        /// A good answer's body begins that goes to a file or a stream: this many bytes, nil when the server does not say.
        case receiving(length: Int64?)
        /// So many more bytes of it have come and gone there.
        case received(Int)
    }
}
