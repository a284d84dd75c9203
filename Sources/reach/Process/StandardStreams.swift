import ArgumentParser
import LibC

/// Standard output and standard error, a line at a time: data to the one, messages to the other.
enum StandardStreams {
    /// Whether a person reads standard output on a terminal.
    static var isTerminal: Bool {
        isatty(STDOUT_FILENO) == 1
    }

    /// Keeps the numbers of streams that the caller has closed from being given to files and connections, which would then
    /// get what is meant for a person. Using them stays the error that it is.
    static func reserve() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            // The lowest number that is free is the one that is given.
            if fcntl(number, F_GETFD) == -1 { _ = open("/dev/null", mode) }
        }
    }

    /// Writes lines of data.
    ///
    /// - Throws: The exit status when they cannot be written: 141 (SIGPIPE) without a message when the reader is gone,
    ///   else 1.
    static func print(_ lines: String...) throws(ExitCode) {
        try write(lines.map { "\($0)\n" }.joined())
    }

    /// Writes data, as ``print(_:)`` does.
    static func write(_ text: String) throws(ExitCode) {
        guard !writeAll(text, to: STDOUT_FILENO) else { return }
        let code = errno
        guard code != EPIPE else { throw ExitCode(128 + SIGPIPE) }
        complain("cannot write to standard output: \(String(cString: strerror(code)))")
        throw ExitCode(1)
    }

    /// Writes a line of the log, which says itself whose it is.
    static func log(_ line: String) {
        _ = writeAll("\(line)\n", to: STDERR_FILENO)
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
