/// Reads the rest of a file, a pipe or a device. Blocks until its end.
///
/// - Parameter limit: The maximum number of bytes to read.
package func readAll(from descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
        let piece = try readPiece(from: descriptor, limit: min(limit - bytes.count, 65_536))
        guard !piece.isEmpty else { break }
        bytes += piece
    }
    return bytes
}

/// Reads the available bytes. Blocks while there are none; empty at the end.
package func readPiece(from descriptor: Int32, limit: Int = 65_536) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
        var count = read(descriptor, buffer.baseAddress, limit)
        while count < 0, errno == EINTR { count = read(descriptor, buffer.baseAddress, limit) }
        if count < 0 { failure = SystemError() }
        filled = max(0, count)
    }
    if let failure { throw failure }
    return bytes
}

/// Writes all bytes. Blocks while the descriptor is full.
///
/// - Parameter onWritten: Called with each number of bytes that the system has accepted.
package func writeAll(
    _ bytes: ArraySlice<UInt8>,
    to descriptor: Int32,
    onWritten: (Int) -> Void = { _ in }
) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
            onWritten(count)
        } else if errno == EAGAIN {
            // Another process that shares the descriptor may have made it nonblocking.
            var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&polled, 1, -1)
        } else if errno != EINTR {
            throw SystemError()
        }
    }
}

/// Writes a whole text. Blocks while the descriptor is full.
package func writeAll(_ text: String, to descriptor: Int32) throws(SystemError) {
    try writeAll(Array(text.utf8)[...], to: descriptor)
}

/// An error that a call of the system reported by `errno`.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    package let code: Int32

    /// - Parameter code: the value of `errno`.
    package init(_ code: Int32 = errno) { self.code = code }

    /// The text of the C library: `No space left on device`.
    package var description: String { String(cString: strerror(code)) }
}
