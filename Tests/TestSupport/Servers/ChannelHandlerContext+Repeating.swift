public import NIOCore

extension ChannelHandlerContext {
    /// Sends a text again and again, until the connection closes.
    ///
    /// The next time is no immediate task: NIO performs all of those before it turns to other connections, and would serve
    /// none while the client reads.
    public func sendRepeatedly(_ text: String) {
        send(repeating: ByteBuffer(string: String(repeating: text, count: max(1, 10_000 / text.utf8.count))))
    }

    private func send(repeating piece: ByteBuffer) {
        let loop = eventLoop.assumeIsolated()
        writeAndFlush(NIOAny(piece)).assumeIsolated().whenSuccess {
            loop.scheduleTask(in: .milliseconds(1)) { self.send(repeating: piece) }
        }
    }
}
