import Foundation
import Monitoring
import TestSupport
import Testing

@testable import ReachKit

/// Malicious URLs: the validated host must be the host of the connection, and a password is never visible.
@Suite struct FetchURLFuzzTests {
    private static let words = [
        "http://", "https://", "HTTP://", "a.test", "b.test", "127.0.0.1", "[::1]", "[fe80::1%25eth0]", "me:secret@",
        "me@",
        ":80", ":443", ":0", ":99999", "/", "//", "/a/b", "..", ".", "?", "?q=1", "#", "#part", "@", ":", "%", "%40",
        "%2F",
        "%zz", "\\", " ", "\t", "\n", "\u{0}", "ü", "\u{301}", "\u{202E}", "。", "|", "{", "\"", "xn--", "-", "_", "[",
        "]",
    ]

    @Test func `the validated host is the host of the connection`() throws {
        var random = SplitMix(seed: 20_261_121)
        var read = 0
        for _ in 0..<40_000 {
            let count = Int.random(in: 0...6, using: &random)
            let rest = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined()
            let text = (Bool.random(using: &random) ? "http://" : "") + rest
            guard let request = try? Fetch.Request(text).validated() else { continue }
            read += 1
            let question = try #require(request.question, "\(text.debugDescription)")
            #expect(!request.url.dropFirst(8).prefix { $0 != "/" }.contains("@"), "\(text.debugDescription)")
            let url = try #require(URL(string: request.url), "\(text.debugDescription)")
            let host = url.host(percentEncoded: false)?.drop { $0 == "[" }.prefix { $0 != "]" }
            #expect(host.map(String.init)?.lowercased() == question.host.lowercased(), "\(text.debugDescription)")
            #expect(UInt16(url.port ?? (url.scheme == "https" ? 443 : 80)) == question.port, "\(text.debugDescription)")
            // Validation is idempotent.
            #expect(try Fetch.Request(request.url).validated().url == request.url, "\(text.debugDescription)")
        }
        #expect(read > 500)
    }
}
