import Foundation
import Testing

@testable import ReachProbing

struct ContentCodingTests {
    /// "fine fine fine" as gzip, zlib and Python's zlib write it.
    private static let gzip = "H4sIAAAAAAACA0vLzEtVSIMRADelPr4OAAAA"
    private static let stream = "eJxLy8xLVUiDEQAmqAUn"
    private static let raw = "S8vMS1VIgxEA"
    /// A text of 736 bytes, in a block with codes of its own.
    private static let dynamic = """
        H4sIAAAAAAACA1VSUXbDIAy7Ckfoe3s7kLfSdmkXWgjtttMvkkwgHyTGli0hmOr3vYSPnF5zOKZzOKWf8KixxvB+ePMoXYMNheXCVMw5ZW6A\
        RO/N/n6JKzE/o2ptPe3WW21onkqa1dkJBWayLLbUonhD2Xxkr6YIDd4EVhQHEZwvIEMjAEtcTK6aHvXr8+o5Em1H5FTXIS7fyDUI4pBNQRvp\
        sO6aIjFBwYphQ+8iM6DmVIMVK5oYH+u/Zv7OYOImXi1DFZvt41F357LRrV1dKd/0+3Q75DSUoCSxyKjMUF4pAbnSoKy+7SXhv72m9iTHO4Bz\
        aunmASfb2w6oddw/6E7mCOACAAA=
        """

    private static func bytes(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64) ?? Data())
    }

    private func text(_ coding: ContentCoding, _ bytes: [UInt8], limit: Int = 1_000) throws -> String {
        var result = ContentCoding.Result()
        try coding.decompress(bytes, limit: limit, into: &result)
        return String(decoding: result.bytes, as: UTF8.self)
    }

    private func problem(_ coding: ContentCoding, _ bytes: [UInt8]) -> ContentCoding.Problem? {
        var result = ContentCoding.Result()
        do throws(ContentCoding.Problem) {
            try coding.decompress(bytes, limit: 1_000, into: &result)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (.gzip, bytes(gzip)), (.deflate, bytes(stream)), (.deflate, bytes(raw)),
            // With extra bytes, a name, a comment and a checksum in the header.
            (.gzip, bytes("H4sIHgAAAAAAAwMAYWJjbmFtZQBjb21tZW50AHlxS8vMS1VIgxEAN6U+vg4AAAA=")),
        ] as [(ContentCoding, [UInt8])]
    )
    func `the forms that servers send are decompressed`(coding: ContentCoding, bytes: [UInt8]) throws {
        #expect(try text(coding, bytes) == "fine fine fine")
    }

    @Test func `blocks of each kind are decompressed`() throws {
        #expect(try text(.deflate, Self.bytes("AQQA+/9maW5l")) == "fine")
        let text = try text(.gzip, Self.bytes(Self.dynamic))
        #expect(text.utf8.count == 736 && text.hasPrefix("jumps brown ") && text.hasSuffix(" dog and 503"))
    }

    /// curl does the same.
    @Test func `data after the end is a problem, also the second member of a gzip file`() throws {
        let gzip = Self.bytes(Self.gzip)
        for bytes in [gzip + gzip, gzip + [0, 0, 1]] { try expect(.continued, of: .gzip, bytes) }
        try expect(.continued, of: .deflate, Self.bytes(Self.stream) + [0])
    }

    private func expect(_ problem: ContentCoding.Problem, of coding: ContentCoding, _ bytes: [UInt8]) throws {
        var result = ContentCoding.Result()
        #expect(throws: problem) { try coding.decompress(bytes, limit: 1_000, into: &result) }
        #expect(String(decoding: result.bytes, as: UTF8.self) == "fine fine fine", "the bytes before the problem")
    }

    @Test(arguments: [(ContentCoding.gzip, gzip), (.gzip, dynamic), (.deflate, stream), (.deflate, raw)])
    func `a body that is cut off is incomplete, or its beginning where that is expected`(
        coding: ContentCoding,
        base64: String
    ) throws {
        let bytes = Self.bytes(base64)
        let whole = try text(coding, bytes)
        for count in 1..<bytes.count {
            // As with curl, the end of data without a format is not checked.
            let isRaw = base64 == Self.raw && count > 1
            #expect(problem(coding, Array(bytes[..<count])) == (isRaw ? nil : .incomplete), "\(count)")
            var result = ContentCoding.Result()
            try coding.decompress(Array(bytes[..<count]), limit: 1_000, isPartial: true, into: &result)
            #expect(result.isTruncated && whole.utf8.starts(with: result.bytes))
        }
        #expect(problem(coding, []) == .notCompressed)
    }

    @Test func `a wrong checksum, a wrong header and wrong data are problems`() throws {
        for (coding, base64) in [(ContentCoding.gzip, Self.gzip), (.deflate, Self.stream)] {
            var bytes = Self.bytes(base64)
            bytes[bytes.count - (coding == .gzip ? 8 : 4)] ^= 1
            #expect(problem(coding, bytes) == .corrupt)
        }
        // The checksum of gzip is a part of its own, so the text before it is there.
        let gzip = Self.bytes(Self.gzip)
        try expect(.corrupt, of: .gzip, gzip.dropLast(8) + [0] + gzip.suffix(7))
        #expect(problem(.gzip, Array("fine".utf8)) == .notCompressed)
        // Each has the format that the other's name means.
        #expect(problem(.gzip, Self.bytes(Self.stream)) == .notCompressed)
        #expect(problem(.deflate, gzip) == .corrupt)
        // A block of the fourth kind, a stored length without its complement, a distance before the beginning.
        for bytes: [UInt8] in [[7, 0], [1, 4, 0, 4, 0, 1], [0x03, 0x02]] {
            #expect(problem(.deflate, bytes) == .corrupt)
        }
    }

    @Test func `the output ends at the limit, and memory with it`() throws {
        // 100,000 zeros.
        let zeros = Self.bytes(
            "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"
        )
        // A gigabyte of zeros, without its end.
        let bomb = zeros.prefix(60) + [UInt8](repeating: 0, count: 1_000_000)
        var result = ContentCoding.Result()
        try ContentCoding.gzip.decompress(Array(bomb), limit: 150_000, into: &result)
        #expect(result.isTruncated && result.bytes == [UInt8](repeating: 0, count: 150_000))
        for (limit, isTruncated) in [(13, true), (14, false), (15, false)] {
            try ContentCoding.gzip.decompress(Self.bytes(Self.gzip), limit: limit, into: &result)
            #expect(result.isTruncated == isTruncated && result.bytes.count == min(limit, 14))
        }
    }

    /// The library makes 16 KiB at once, and keeps the rest until it receives more.
    @Test(
        arguments: [
            (16_484, "7cEBAQAAAIIg/69uSEABAAAAAAAAAAAAAAAAAAAADwY="),
            (16_642, "7cExAQAAAMKg9U9tDB+gAAAAAAAAAAAAAAAAAAAAAN4G"),
            (32_968, "7cEBDQAAAMKg909tDwcUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPBi"),
        ]
    )
    func `the end of data without a format is not lost`(count: Int, base64: String) throws {
        var result = ContentCoding.Result()
        try ContentCoding.deflate.decompress(Self.bytes(base64), limit: 100_000, into: &result)
        #expect(result.bytes.count == count && !result.isTruncated)
    }
}
