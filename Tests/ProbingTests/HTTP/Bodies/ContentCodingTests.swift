import Foundation
import Testing

@testable import Probing

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
            (.gzip, bytes("H4sIHgAAAAAAAwMAYWJjbmFtZQBjb21tZW50AHh4S8vMS1VIgxEAN6U+vg4AAAA=")),
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

    @Test func `the members of a gzip file follow each other`() throws {
        let member = Self.bytes(Self.gzip)
        #expect(try text(.gzip, member + member) == "fine fine finefine fine fine")
        #expect(problem(.gzip, member + [0, 0, 1]) == .corrupt)
    }

    @Test(arguments: [(ContentCoding.gzip, gzip), (.gzip, dynamic), (.deflate, stream), (.deflate, raw)])
    func `a body that is cut off is incomplete, or its beginning where that is expected`(
        coding: ContentCoding,
        base64: String
    ) throws {
        let bytes = Self.bytes(base64)
        let whole = try text(coding, bytes)
        for count in 1..<bytes.count {
            #expect(problem(coding, Array(bytes[..<count])) == .incomplete, "\(count)")
            var result = ContentCoding.Result()
            try coding.decompress(Array(bytes[..<count]), limit: 1_000, isPartial: true, into: &result)
            #expect(result.isTruncated && whole.utf8.starts(with: result.bytes))
        }
        #expect(problem(coding, []) == .notCompressed)
    }

    @Test func `a wrong checksum, a wrong header and wrong data are problems`() {
        for (coding, base64) in [(ContentCoding.gzip, Self.gzip), (.deflate, Self.stream)] {
            var bytes = Self.bytes(base64)
            bytes[bytes.count - (coding == .gzip ? 8 : 4)] ^= 1
            #expect(problem(coding, bytes) == .wrongChecksum)
        }
        #expect(problem(.gzip, Array("fine".utf8)) == .notCompressed)
        // A block of the fourth kind, a stored length without its complement, a distance before the beginning.
        for bytes: [UInt8] in [[7], [1, 4, 0, 4, 0, 1], [0x03, 0x02]] { #expect(problem(.deflate, bytes) == .corrupt) }
    }

    @Test func `the output ends at the limit, and memory with it`() throws {
        // 100,000 zeros.
        let zeros = Self.bytes(
            "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"
        )
        let bomb = Array(repeatElement(zeros, count: 1_000).joined())
        var result = ContentCoding.Result()
        try ContentCoding.gzip.decompress(bomb, limit: 150_000, into: &result)
        #expect(result.isTruncated && result.bytes == [UInt8](repeating: 0, count: 150_000))
        for (limit, isTruncated) in [(13, true), (14, false), (15, false)] {
            try ContentCoding.gzip.decompress(Self.bytes(Self.gzip), limit: limit, into: &result)
            #expect(result.isTruncated == isTruncated && result.bytes.count == min(limit, 14))
        }
    }
}
