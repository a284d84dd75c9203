import LibC

/// Writes bytes to a descriptor, all of them, waiting where it is full.
func writeWhole(
    _ bytes: ArraySlice<UInt8>,
    to descriptor: Int32,
    named name: String
) throws(FileProblem) {
    var rest = bytes
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
            // Whoever shares the descriptor may have made it non-blocking.
            var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&polled, 1, -1)
        } else if errno != EINTR {
            throw FileProblem("write", name, errno: errno)
        }
    }
}
