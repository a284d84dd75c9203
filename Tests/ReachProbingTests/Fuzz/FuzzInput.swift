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

/// A kind of mutation of an input.
enum Mutation: CaseIterable {
    case flipBit
    case replaceByte
    case replaceByteByEdge
    case replaceNumberByEdge
    case cutEnd
    case remove
    case insert
    case insertWord
    case duplicate
    case splice

    /// The maximum length of a mutated input.
    static let longest = 8_192
    /// Boundary values of a byte.
    private static let edges: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]

    /// Mutates `bytes`.
    ///
    /// - Parameters:
    ///   - corpus: the inputs for splicing.
    ///   - words: tokens of the parser's language.
    func mutate(
        _ bytes: inout [UInt8],
        corpus: [[UInt8]],
        words: [[UInt8]],
        by random: inout some RandomNumberGenerator
    ) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...16, using: &random))
        switch self {
        case .flipBit:
            if place < end { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random) }
        case .replaceByte:
            if place < end { bytes[place] = .random(in: .min ... .max, using: &random) }
        case .replaceByteByEdge:
            if place < end { bytes[place] = Self.edges.randomElement(using: &random) ?? 0 }
        case .replaceNumberByEdge:
            let number = Self.number(besides: bytes.count, using: &random).prefix(bytes.count - place)
            bytes.replaceSubrange(place..<place + number.count, with: number)
        case .cutEnd:
            bytes.removeSubrange(place...)
        case .remove:
            bytes.removeSubrange(place..<end)
        case .insert:
            bytes.insert(contentsOf: Self.noise(upTo: 16, using: &random), at: place)
        case .insertWord:
            bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
        case .duplicate:
            let end = min(bytes.count, place + Int.random(in: 1...256, using: &random))
            let times = random.next() % 8 == 0 ? 32 : 1
            for _ in 0..<times { bytes.insert(contentsOf: bytes[place..<end], at: place) }
        case .splice:
            guard let other = corpus.randomElement(using: &random) else { return }
            bytes.replaceSubrange(place..., with: other.suffix(Int.random(in: 0...other.count, using: &random)))
        }
        if bytes.count > Self.longest { bytes.removeSubrange(Self.longest...) }
    }

    /// Returns random bytes, of which about one in four is a boundary value.
    static func noise(upTo longest: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...longest, using: &random)).map { _ in
            let number = random.next()
            return number >> 32 % 4 == 0 ? edges[Int(number >> 40 % 5)] : UInt8(truncatingIfNeeded: number)
        }
    }

    /// Returns a number of two or four bytes, in either byte order, at a boundary of its type or of the input's length.
    private static func number(besides length: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
        let candidates = [0, 1, length - 1, length, length + 1, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF]
        let number = UInt32(truncatingIfNeeded: candidates.randomElement(using: &random) ?? 0)
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        let sized = Bool.random(using: &random) ? bytes : Array(bytes.suffix(2))
        return Bool.random(using: &random) ? sized : sized.reversed()
    }
}
