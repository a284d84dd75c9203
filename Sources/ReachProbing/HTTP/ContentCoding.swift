#if Fetch
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// A compression of bodies that is supported (RFC 9110 §8.4.1).
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
        /// Also a wrong checksum, for which the library reports the same error.
        case corrupt = "corrupt data"
        /// Also the second member of a gzip file, which the library does not read.
        case continued = "more data after its end"

        fileprivate init(_ error: any Error) {
            switch error as? NIOHTTPDecompression.ExtraDecompressionError {
            case .truncatedData: self = .incomplete
            case .invalidTrailingData: self = .continued
            default: self = .corrupt
            }
        }
    }

    /// The maximum length of a part of the input. Each byte expands to at most 1,032.
    private static let partLength = 1_024
    /// The length of the last part: the checksum and length of gzip (RFC 1952 §2.3.1).
    private static let trailerLength = 8

    /// Returns the coding of this name; nil for any other.
    init?(name: String) {
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// Decompresses bytes. The end of DEFLATE data without the zlib format is not checked, as with curl.
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
        result = Result(isTruncated: isPartial)
        guard !bytes.isEmpty, self == .deflate || [0x1F, 0x8B].starts(with: bytes.prefix(2)) else {
            throw .notCompressed
        }
        let isRaw = self == .deflate && !bytes.hasStreamHeader
        let fields: HTTPHeaders = ["Content-Encoding": rawValue]
        var parts = [HTTPClientResponsePart.head(.init(version: .http1_1, status: .ok, headers: fields))]
        if isRaw { parts.append(.body(ByteBuffer(bytes: Self.streamHeader))) }
        parts += Self.parts(of: bytes).map { .body(ByteBuffer(bytes: $0)) }
        // At the end, the library requires a checksum.
        if !isRaw, !isPartial { parts.append(.end(nil)) }

        let channel = EmbeddedChannel(handler: NIOHTTPResponseDecompressor(limit: .none))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        for part in parts {
            let problem = channel.decompress(part, into: &result.bytes)
            guard result.bytes.count <= limit else {
                result = Result(bytes: Array(result.bytes.prefix(limit)), isTruncated: true)
                return
            }
            if let problem { throw problem }
        }
    }

    /// Divides the input, so that little is decompressed beyond the limit.
    ///
    /// The last part is short. An error in a checksum drops the output of its part, and the library keeps what exceeds
    /// 16 KiB of a part until the next one.
    private static func parts(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        let data = bytes.dropLast(trailerLength)
        return stride(from: 0, to: data.count, by: partLength).map { data[$0...].prefix(partLength) }
            + [bytes.suffix(trailerLength)]
    }

    /// The header of a zlib stream (RFC 1950 §2.2), which the library needs.
    private static let streamHeader: [UInt8] = [0x78, 0x9C]
}

extension [UInt8] {
    /// Whether this may be a zlib stream (RFC 1950 §2.2). Some servers send DEFLATE data without that format.
    fileprivate var hasStreamHeader: Bool {
        count < 2 || (Int(self[0]) << 8 | Int(self[1])) % 31 == 0 && self[0] & 0xF == 8 && self[1] & 0x20 == 0
    }
}

extension EmbeddedChannel {
    /// Decompresses a part of a response. Returns the problem with it.
    fileprivate func decompress(
        _ part: HTTPClientResponsePart,
        into output: inout [UInt8]
    ) -> ContentCoding.Problem? {
        let result = Result { try writeInbound(part) }
        while let part = try? readInbound(as: HTTPClientResponsePart.self) {
            if case .body(let bytes) = part { output += bytes.readableBytesView }
        }
        guard case .failure(let error) = result else { return nil }
        return ContentCoding.Problem(error)
    }
}
#endif
