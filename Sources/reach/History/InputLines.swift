import LibC

/// The lines of a descriptor, read in parts.
struct InputLines {
    let descriptor: Int32
    private var bytes: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Returns the next line without its end; nil after the last one.
    ///
    /// - Throws: ``StartupError`` if the descriptor cannot be read.
    mutating func next() throws(StartupError) -> String? {
        while true {
            if let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return line(until: end)
            }
            guard !isAtEnd else {
                defer { position = bytes.endIndex }
                return position < bytes.endIndex ? line(until: bytes.endIndex) : nil
            }
            try fill()
        }
    }

    private func line(until end: Int) -> String {
        let hasReturn = end > position && bytes[end - 1] == UInt8(ascii: "\r")
        return String(decoding: bytes[position..<(hasReturn ? end - 1 : end)], as: UTF8.self)
    }

    private mutating func fill() throws(StartupError) {
        bytes.removeFirst(position)
        position = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw StartupError(lines: ["standard input: cannot be read: \(String(cString: strerror(errno)))"])
            }
            isAtEnd = count == 0
            bytes += buffer[..<count]
            return
        }
    }
}
