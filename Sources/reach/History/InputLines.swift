import LibC

/// The lines of a descriptor, read in parts.
struct InputLines {
    let descriptor: Int32
    /// The number of the last line that was returned.
    private(set) var number = 0
    private var bytes: [UInt8] = []
    private var position = 0
    /// Until where there is no end of a line.
    private var searched = 0
    private var isAtEnd = false
    /// The longest line, in bytes. No record is nearly as long.
    static let longest = 1 << 20

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Returns the next line without its end; nil after the last one.
    ///
    /// - Throws: ``StartupError`` if the descriptor cannot be read, or a line is too long.
    mutating func next() throws(StartupError) -> String? {
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return try line(until: end, next: end + 1)
            }
            searched = bytes.endIndex
            guard !isAtEnd else {
                return position < bytes.endIndex ? try line(until: bytes.endIndex, next: bytes.endIndex) : nil
            }
            try checkLength(until: bytes.endIndex)
            try fill()
        }
    }

    private func checkLength(until end: Int) throws(StartupError) {
        guard end - position > Self.longest else { return }
        let fix = "use the output of reach history --export jsonl"
        throw StartupError(lines: ["standard input:\(number + 1): a line longer than 1 MiB – \(fix)"])
    }

    private mutating func line(until end: Int, next: Int) throws(StartupError) -> String {
        try checkLength(until: end)
        defer {
            (position, searched) = (next, next)
            number += 1
        }
        let hasReturn = end > position && bytes[end - 1] == UInt8(ascii: "\r")
        return String(decoding: bytes[position..<(hasReturn ? end - 1 : end)], as: UTF8.self)
    }

    private mutating func fill() throws(StartupError) {
        bytes.removeFirst(position)
        (position, searched) = (0, searched - position)
        do throws(SystemError) {
            let piece = try readPiece(from: descriptor)
            isAtEnd = piece.isEmpty
            bytes += piece
        } catch {
            throw StartupError(lines: ["standard input: cannot be read: \(error)"])
        }
    }
}
