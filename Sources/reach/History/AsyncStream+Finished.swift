extension AsyncStream {
    /// A stream without elements.
    static var finished: AsyncStream {
        AsyncStream { $0.finish() }
    }
}
