import Foundation
import Testing

@testable import Probing

struct ContentCodingFuzzTests {
    private static let corpus: [[UInt8]] = [
        "H4sIAAAAAAACA0vLzEtVSIMRADelPr4OAAAA", "eJxLy8xLVUiDEQAmqAUn", "S8vMS1VIgxEA", "AQQA+/9maW5l",
        "H4sIHgAAAAAAAwMAYWJjbmFtZQBjb21tZW50AHlxS8vMS1VIgxEAN6U+vg4AAAA=",
    ].map { Array(Data(base64Encoded: $0) ?? Data()) }

    private static let words: [[UInt8]] = [
        [0x1F, 0x8B, 8], [0x78, 0x9C], [0], [0xFF, 0xFF], [5, 0xC0, 0x81], [0xED, 0xC1, 1], [4],
    ]

    @Test func `every compressed body is decompressed within the limit, or has a problem`() async {
        let fuzz = Fuzz(name: "compressed", corpus: Self.corpus, words: Self.words)
        await fuzz.run(often: ["whole", "incomplete", "corrupt", "notCompressed"]) { input in
            let coding = input.number(below: 2) == 0 ? ContentCoding.gzip : .deflate
            let limit = input.number(below: 4_096) + 1
            var result = ContentCoding.Result()
            defer { precondition(result.bytes.count <= limit) }
            do throws(ContentCoding.Problem) {
                try coding.decompress(input.bytes, limit: limit, into: &result)
            } catch {
                return "\(error)"
            }
            return result.isTruncated ? "truncated" : "whole"
        }
    }
}
