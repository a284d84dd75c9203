import NIOCore
import TestSupport

/// An input, with a random number generator for further choices.
struct FuzzInput {
    /// The maximum number of bytes read from a connection at a time.
    private static let longestRead = 65_536

    var bytes: [UInt8]
    var random: SplitMix

    /// The bytes after others that the parser must not read, to detect mixed-up indexes and counts.
    mutating func buffer() -> ByteBuffer {
        let skipped = Int.random(in: 0...3, using: &random)
        var buffer = ByteBuffer(repeating: 0xFF, count: skipped)
        buffer.writeBytes(bytes)
        buffer.moveReaderIndex(forwardBy: skipped)
        return buffer
    }

    /// Returns a random number.
    mutating func number(below end: Int) -> Int {
        Int.random(in: 0..<end, using: &random)
    }

    /// The bytes as a connection may deliver them: in one fragment, in a few, or one by one.
    mutating func fragments() -> [ArraySlice<UInt8>] {
        let longest: Int
        switch number(below: 4) {
        case 0: longest = Self.longestRead
        case 1 where bytes.count <= 96: longest = 1
        default: longest = min(Self.longestRead, max(1, bytes.count / 2))
        }
        var fragments: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let isWhole = longest == Self.longestRead
            let end = min(bytes.count, start + (isWhole ? longest : Int.random(in: 1...longest, using: &random)))
            fragments.append(bytes[start..<end])
            start = end
        }
        return fragments
    }

    /// Removes and returns the last byte; nil if none is left. For inputs that are read as commands.
    mutating func next() -> UInt8? {
        bytes.popLast()
    }

    /// Repeats a piece of the input until it has at least `count` bytes.
    mutating func swell(to count: Int) {
        let start = number(below: bytes.count + 1)
        let end = min(bytes.count, start + 1 + number(below: 64))
        guard start < end else { return }
        var pieces = Array(bytes[start..<end])
        while pieces.count < count - bytes.count { pieces += pieces }
        bytes.insert(contentsOf: pieces, at: start)
    }
}
