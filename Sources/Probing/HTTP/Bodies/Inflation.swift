/// The decompression of DEFLATE data (RFC 1951), up to a limit.
struct Inflation {
    /// Why the data cannot be decompressed.
    enum Problem: Error {
        /// The data ends before its last block does.
        case incomplete
        case corrupt
    }

    private let input: [UInt8]
    private let limit: Int
    /// The index of the next byte of the input.
    private var next: Int
    /// The decompressed bytes. The last match or stored block, of at most 64 KiB, may exceed the limit.
    private(set) var output: [UInt8] = []
    /// The bits that were taken from the input and not used yet, the next one lowest.
    private var bits: UInt64 = 0
    private var bitCount = 0

    init(_ input: [UInt8], from position: Int = 0, limit: Int) {
        self.input = input
        next = position
        self.limit = limit
    }

    /// The index of the first byte of the input that is not used at all.
    var position: Int { next - bitCount / 8 }

    /// Whether the output has reached the limit. The rest of the input is then not read.
    var isFull: Bool { output.count >= limit }

    /// Decompresses all blocks. After a problem, the output before it stays.
    mutating func run() throws(Problem) {
        while !isFull {
            let isLast = try readBits(1) == 1
            switch try readBits(2) {
            case 0: try copyStoredBlock()
            case 1: try inflate(with: .fixedLiterals, .fixedDistances)
            case 2:
                let (literals, distances) = try readCodes()
                try inflate(with: literals, distances)
            default: throw .corrupt
            }
            if isLast { return }
        }
    }

    /// Takes as many bytes of the input as there is room for.
    private mutating func takeBytes() {
        while bitCount <= 56, next < input.count {
            bits |= UInt64(input[next]) << bitCount
            next += 1
            bitCount += 8
        }
    }

    private mutating func readBits(_ count: Int) throws(Problem) -> Int {
        if bitCount < count { takeBytes() }
        guard bitCount >= count else { throw .incomplete }
        let value = Int(bits & (1 << UInt64(count) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    private mutating func readSymbol(of code: HuffmanCode) throws(Problem) -> Int {
        if bitCount < HuffmanCode.maxLength { takeBytes() }
        guard let (symbol, length) = code.symbol(in: bits) else {
            throw bitCount < HuffmanCode.maxLength ? .incomplete : .corrupt
        }
        _ = try readBits(length)
        return symbol
    }

    private mutating func copyStoredBlock() throws(Problem) {
        // The block begins with the next whole byte.
        (next, bits, bitCount) = (position, 0, 0)
        let length = try readBits(16)
        guard try readBits(16) == ~length & 0xFFFF else { throw .corrupt }
        let start = position
        let end = min(start + length, input.count)
        output += input[start..<end]
        (next, bits, bitCount) = (end, 0, 0)
        guard start + length == end else { throw .incomplete }
    }

    private mutating func inflate(with literals: HuffmanCode, _ distances: HuffmanCode) throws(Problem) {
        while !isFull {
            let symbol = try readSymbol(of: literals)
            switch symbol {
            case 0...255: output.append(UInt8(symbol))
            case 256: return
            case 257...285:
                let length = try readNumber(symbol - 257, of: Self.lengths)
                let distance = try readNumber(try readSymbol(of: distances), of: Self.distances)
                guard distance <= output.count else { throw .corrupt }
                // The copy may overlap its source.
                for _ in 0..<length { output.append(output[output.count - distance]) }
            default: throw .corrupt
            }
        }
    }

    /// Reads the rest of a length or distance.
    private mutating func readNumber(
        _ symbol: Int,
        of table: [(base: Int, extraBits: Int)]
    ) throws(Problem) -> Int {
        guard symbol < table.count else { throw .corrupt }
        return table[symbol].base + (try readBits(table[symbol].extraBits))
    }

    /// Reads the codes of a block (RFC 1951 §3.2.7).
    private mutating func readCodes() throws(Problem) -> (literals: HuffmanCode, distances: HuffmanCode) {
        let literalCount = try readBits(5) + 257
        let distanceCount = try readBits(5) + 1
        let lengthCount = try readBits(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw .corrupt }
        var codeLengths = [Int](repeating: 0, count: 19)
        for index in Self.lengthOrder.prefix(lengthCount) { codeLengths[index] = try readBits(3) }
        let code = try HuffmanCode(codeLengths, mayBeIncomplete: false)
        var lengths: [Int] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try readSymbol(of: code)
            switch symbol {
            case 0...15: lengths.append(symbol)
            case 16:
                guard let last = lengths.last else { throw .corrupt }
                lengths += repeatElement(last, count: try readBits(2) + 3)
            case 17: lengths += repeatElement(0, count: try readBits(3) + 3)
            default: lengths += repeatElement(0, count: try readBits(7) + 11)
            }
        }
        guard lengths.count == literalCount + distanceCount, lengths[256] > 0 else { throw .corrupt }
        return (try HuffmanCode(Array(lengths[..<literalCount])), try HuffmanCode(Array(lengths[literalCount...])))
    }

    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The lengths of the symbols from 257 (RFC 1951 §3.2.5).
    private static let lengths: [(base: Int, extraBits: Int)] = [
        (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1), (17, 1), (19, 2),
        (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4), (83, 4), (99, 4), (115, 4), (131, 5),
        (163, 5), (195, 5), (227, 5), (258, 0),
    ]

    private static let distances: [(base: Int, extraBits: Int)] =
        [(1, 0), (2, 0)] + (0..<14).flatMap { bits in [(2 << bits + 1, bits), (3 << bits + 1, bits)] }
}

/// A Huffman code (RFC 1951 §3.2.2).
private struct HuffmanCode {
    /// The maximum number of bits of a symbol.
    static let maxLength = 15
    /// The number of bits that ``table`` is for.
    private static let tableLength = 9

    /// The symbols with at most nine bits, each with its length in the lowest four bits, by the next bits of the input;
    /// zero for longer ones.
    private var table = [UInt16](repeating: 0, count: 1 << tableLength)
    /// The number of codes of each length.
    private var counts = [Int](repeating: 0, count: maxLength + 1)
    /// The symbols in the order of their codes.
    private var symbols: [Int] = []

    /// - Parameters:
    ///   - lengths: the number of bits of each symbol; zero for none.
    ///   - mayBeIncomplete: whether a code of at most one symbol, of one bit, is valid, as zlib accepts it.
    init(_ lengths: [Int], mayBeIncomplete: Bool = true) throws(Inflation.Problem) {
        self.init(valid: lengths)
        let room = counts.dropFirst().reduce(1) { room, count in room < 0 ? room : room << 1 - count }
        guard room == 0 || room > 0 && mayBeIncomplete && symbols.count == counts[1] else { throw .corrupt }
    }

    /// - Parameter lengths: the number of bits of each symbol, which the caller checks.
    private init(valid lengths: [Int]) {
        for length in lengths where length > 0 { counts[length] += 1 }
        var places = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        symbols = [Int](repeating: 0, count: places[places.count - 1])
        var codes = [0]
        for length in 1...Self.maxLength { codes.append((codes[length - 1] + counts[length - 1]) << 1) }
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[places[length]] = symbol
            places[length] += 1
            if length <= Self.tableLength, codes[length] < 1 << length {
                // Codes are sent from their highest bit on.
                let first = (0..<length).reduce(0) { $0 << 1 | codes[length] >> $1 & 1 }
                for index in stride(from: first, to: table.count, by: 1 << length) {
                    table[index] = UInt16(symbol << 4 | length)
                }
            }
            codes[length] += 1
        }
    }

    /// Returns the symbol that begins with the lowest bit, and the number of its bits; nil if there is none.
    func symbol(in bits: UInt64) -> (symbol: Int, length: Int)? {
        let entry = Int(table[Int(bits & UInt64(table.count - 1))])
        if entry != 0 { return (entry >> 4, entry & 0xF) }
        // The codes of each length are consecutive numbers.
        var (number, first, index) = (0, 0, 0)
        for length in 1...Self.maxLength {
            number |= Int(bits >> UInt64(length - 1) & 1)
            let count = counts[length]
            if number - first < count { return (symbols[index + number - first], length) }
            index += count
            first = (first + count) << 1
            number <<= 1
        }
        return nil
    }

    /// The codes of a block without codes of its own (RFC 1951 §3.2.6).
    static let fixedLiterals = HuffmanCode(
        valid: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
    )
    static let fixedDistances = HuffmanCode(valid: Array(repeating: 5, count: 30))
}
