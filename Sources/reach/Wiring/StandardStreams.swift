#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Standard output and standard error, a line at a time: data to the one, messages to the other.
enum StandardStreams {
    /// Whether a person reads standard output on a terminal.
    static var isTerminal: Bool {
        isatty(STDOUT_FILENO) == 1
    }

    /// Writes a line of data; false when nobody reads it any more.
    static func print(_ line: String) -> Bool {
        writeAll(line + "\n", to: STDOUT_FILENO)
    }

    /// Writes a message for a person.
    static func complain(_ line: String) {
        _ = writeAll("reach: \(line)\n", to: STDERR_FILENO)
    }
}

/// Writes a text to a descriptor, whole where that is possible; false when it is not.
func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if written >= 0 {
            bytes = bytes.dropFirst(written)
        } else if errno != EINTR {
            return false
        }
    }
    return true
}
