import LibC

/// Writes all bytes to a descriptor, and waits while it is full.
func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, named name: String) throws(Fetch.Error) {
    var rest = bytes
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
            // Another process that shares the descriptor may have made it non-blocking.
            var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&polled, 1, -1)
        } else if errno != EINTR {
            throw Fetch.Error("write", name, errno: errno)
        }
    }
}
