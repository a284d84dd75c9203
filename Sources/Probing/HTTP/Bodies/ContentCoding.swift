/// A compression of bodies that can be undone (RFC 9110 §8.4.1).
enum ContentCoding: String {
    case gzip
    case deflate

    /// Decompressed bytes.
    struct Result {
        var bytes: [UInt8] = []
        /// Whether the rest is missing, because of the limit or of a partial input.
        var isTruncated = false
    }

    /// Why bytes cannot be decompressed.
    enum Problem: String, Error {
        case notCompressed = "no header"
        case incomplete = "it ends too early"
        case corrupt = "corrupt data"
        case wrongChecksum = "wrong checksum"

        fileprivate init(_ problem: Inflation.Problem) {
            self = problem == .incomplete ? .incomplete : .corrupt
        }
    }

    /// Returns the coding of this name; nil for any other.
    init?(name: String) {
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// Decompresses bytes.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes of the result.
    ///   - isPartial: whether the input is only the beginning of a body.
    ///   - result: receives the bytes, also those before a problem.
    func decompress(
        _ bytes: [UInt8],
        limit: Int,
        isPartial: Bool = false,
        into result: inout Result
    ) throws(Problem) {
        result = Result()
        guard !bytes.isEmpty else { throw .notCompressed }
        do throws(Problem) {
            switch self {
            case .gzip: try readMembers(of: bytes, limit: limit, into: &result)
            case .deflate: try readStream(bytes, limit: limit, into: &result)
            }
        } catch {
            guard error == .incomplete, isPartial else { throw error }
            result.isTruncated = true
        }
    }

    /// Reads the members of a gzip file, which follow each other (RFC 1952 §2.2).
    private func readMembers(of bytes: [UInt8], limit: Int, into result: inout Result) throws(Problem) {
        var position = 0
        while position < bytes.count, !result.isTruncated {
            var inflation = Inflation(
                bytes,
                from: try Self.endOfGzipHeader(in: bytes, at: position),
                limit: limit - result.bytes.count + 1
            )
            try Self.run(&inflation, limit: limit, into: &result)
            guard !result.isTruncated else { return }
            position = inflation.position + 8
            guard let checksum = bytes.number(at: inflation.position, byteCount: 4), position <= bytes.count else {
                throw .incomplete
            }
            guard checksum == CRC32.checksum(of: inflation.output) else { throw .wrongChecksum }
        }
    }

    /// Returns the index after the header of a member (RFC 1952 §2.3).
    private static func endOfGzipHeader(in bytes: [UInt8], at start: Int) throws(Problem) -> Int {
        let magic: [UInt8] = [0x1F, 0x8B, 8]
        guard bytes[start...].prefix(3).elementsEqual(magic.prefix(bytes.count - start)) else {
            throw start == 0 ? .notCompressed : .corrupt
        }
        guard start + 10 <= bytes.count else { throw .incomplete }
        let flags = bytes[start + 3]
        var end = start + 10
        if flags & 4 != 0 {
            guard let length = bytes.number(at: end, byteCount: 2) else { throw .incomplete }
            end += 2 + Int(length)
        }
        // The name of the file and a comment end with a zero.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard end <= bytes.count, let zero = bytes[end...].firstIndex(of: 0) else { throw .incomplete }
            end = zero + 1
        }
        if flags & 2 != 0 { end += 2 }
        guard end <= bytes.count else { throw .incomplete }
        return end
    }

    /// Reads a zlib stream (RFC 1950), or DEFLATE data without that format, which some servers send.
    private func readStream(_ bytes: [UInt8], limit: Int, into result: inout Result) throws(Problem) {
        let header = bytes.count < 2 ? 1 : Int(bytes[0]) << 8 | Int(bytes[1])
        let isStream = header % 31 == 0 && bytes[0] & 0xF == 8 && bytes[1] & 0x20 == 0
        var inflation = Inflation(bytes, from: isStream ? 2 : 0, limit: limit + 1)
        try Self.run(&inflation, limit: limit, into: &result)
        guard isStream, !result.isTruncated else { return }
        let end = inflation.position
        guard end + 4 <= bytes.count else { throw .incomplete }
        let checksum = bytes[end..<end + 4].reduce(0) { $0 << 8 | UInt32($1) }
        guard checksum == inflation.output.adler32 else { throw .wrongChecksum }
    }

    /// Appends what is decompressed to the result, also before a problem.
    private static func run(_ inflation: inout Inflation, limit: Int, into result: inout Result) throws(Problem) {
        defer { result.bytes += inflation.output.prefix(limit - result.bytes.count) }
        do throws(Inflation.Problem) {
            try inflation.run()
        } catch {
            throw Problem(error)
        }
        result.isTruncated = inflation.isFull
    }
}

/// The checksum of gzip (RFC 1952 §8).
private enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    static func checksum(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}

extension [UInt8] {
    /// The number at an index, its lowest byte first; nil beyond the end.
    fileprivate func number(at index: Int, byteCount: Int) -> UInt32? {
        guard index + byteCount <= count else { return nil }
        return self[index..<index + byteCount].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The checksum of zlib (RFC 1950 §8.2).
    fileprivate var adler32: UInt32 {
        let sums = reduce((UInt32(1), UInt32(0))) { sums, byte in
            let low = (sums.0 + UInt32(byte)) % 65_521
            return (low, (sums.1 + low) % 65_521)
        }
        return sums.1 << 16 | sums.0
    }
}
