import Foundation
import Monitoring
import NIOCore
import Testing

@testable import Probing

struct JSONFuzzTests {
    private static let corpus: [[UInt8]] = [
        #"{ "status": "ok", "items": [ { "name": "a" }, 1, -2.5e3, true, false, null ] }"#,
        #"[[[1], {}], { "a": { "b": "\u00fc\ud83d\ude00\n\"\\" } }]"#, #""text""#, "-0.0", "[]", " { } ",
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] = [
        "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u", "\\ud800", "null", "true", "1e", "-", "0", ".", "\u{1B}",
        "\"status\":", "\u{FEFF}", "ü",
    ].map { Array($0.utf8) }

    @Test func `every body is checked within limits, and JSON is what Foundation takes for JSON`() async throws {
        let checks = try ["$", "$.status", "$.items[0].name", "$.items[-1]", "$[0][0]", "$[1].a.b"].map {
            HTTPOptions.JSONCheck(try HTTPOptions.JSONPath($0), .equals(.string("ok")))
        }
        await Fuzz(name: "JSON", corpus: Self.corpus, words: Self.words).run(often: ["failure", "not JSON"]) { input in
            var response = HTTPResponse(status: 200, location: nil, keepsBody: true)
            response.append(ByteBuffer(bytes: input.bytes))
            var isJSON = true
            for check in checks {
                do throws(Failure) {
                    _ = try response.checkJSON([check])
                } catch {
                    try holdShort(error.detail)
                    isJSON = isJSON && !error.detail.hasPrefix("not JSON")
                }
            }
            // Foundation accepts other encodings, and some texts that RFC 8259 does not.
            if isJSON, String(validating: input.bytes, as: UTF8.self) != nil {
                let data = Data(input.bytes)
                let isKnown = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
                try hold(isKnown || Self.isLenient(input.bytes), "not JSON for Foundation")
            }
            return isJSON ? "failure" : "not JSON"
        }
    }

    /// Whether a text may have half a surrogate pair, or a number beyond the range of a double: both are JSON, and
    /// Foundation rejects them.
    private static func isLenient(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        return text.contains("\\ud") || text.contains(#/[0-9]e/#) || text.utf8.count > 300
    }
}
