import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import ReachMonitoring
import Testing

@testable import ReachProbing

struct HTTPFuzzTests {
    /// Typical responses of servers.
    private static let corpus: [[UInt8]] = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nall ok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=\"y\"\r\n world\r\n0\r\nX-End: 1\r\n\r\n",
        "HTTP/1.0 200\r\nConnection: close\r\n\r\nto the end, ok",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nServer: x\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n\u{0}\u{1}",
        "HTTP/1.1 301 Moved\r\nLocation: https://other.example/a/../b?c=%20#d\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: ../up/./here\r\n\r\n", "HTTP/1.1 307 X\r\nLocation: //[::1]:8080?q\r\n\r\n",
        "HTTP/1.1 303 See Other\r\nlocation: ?page=2\r\nLocation: /twice\r\n\r\n",
        "HTTP/1.1 308 X\r\nLocation:\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n",
        "HTTP/1.1 503 Busy \u{1B}[31m\r\nRetry-After: 1\r\nContent-Type: text/plain\r\n\r\nbusy",
        "HTTP/1.1 599 ü\r\nX: \t folded\r\n more\r\nX: ü\r\n\r\n", "HTTP/1.1 000 \r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length : 5\nContent-Length: 5, 5\nX: a\n b\n\nall ok",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] = [
        "\r\n", "\r\n\r\n", "\n", "\r", ": ", "\u{0}", "HTTP/1.1 302 X\r\n", "Location: ", "http://", "https://", "//",
        "..",
        "@", "#", "[", "]", "%", "Content-Length: ", "Content-Length: 99999999999999999999\r\n",
        "Content-Length: -1\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n", "ffffffffffffffff\r\n", "0\r\n\r\n",
        "ü", "\u{202E}", "\u{301}", "HTTP/1.1 200 OK\r\n\r\n",
    ].map { Array($0.utf8) }

    private static let questions: [HTTPQuestion] = [
        HTTPOptions(), HTTPOptions(method: "HEAD", follow: 5), HTTPOptions(body: "ok", follow: 5),
        HTTPOptions(method: "POST", bodySent: "x", status: [200, 302], body: "^$"),
        HTTPOptions(method: "POST", headers: [.init(name: "Cookie", value: "secret")], bodySent: "x", follow: 3),
        HTTPOptions(bodyNot: "busy", responseHeaders: [.init("X", .equals(.string("a b"))), .init("Server")]),
    ].map { HTTPQuestion(isSecure: false, host: "a.example", path: "/a/b?c", options: $0) }

    private let fuzz = Fuzz(name: "HTTP", corpus: HTTPFuzzTests.corpus, words: HTTPFuzzTests.words, cost: 5)

    @Test func `every HTTP response ends, and is kept and shown within limits`() async {
        await fuzz.run(often: ["reply", "status", "body", "redirect", "closed", "protocol_error"]) { input in
            switch input.number(below: 16_384) {
            case 0: input.swell(to: HTTPResponseParser.maxLength + 1_000_000)
            case 1..<32: input.swell(to: HTTPResponseParser.maxHeadLength + 100_000)
            default: break
            }
            var question = Self.questions[input.number(below: Self.questions.count)]
            // A server that redirects to itself sends the same response again.
            for _ in 0...5 {
                let way: String
                (way, question) = try Self.judge(try Self.word(to: question, by: &input), to: question)
                if way != "redirect" || question.options.follow < 3 { return way }
            }
            throw FuzzFailure(description: "follows for ever")
        }
    }

    /// What an exchange says when the server has said all this, and hung up.
    private static func word(to question: HTTPQuestion, by input: inout FuzzInput) throws -> HTTPExchange.Event {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        var word: HTTPExchange.Event?
        let exchange = HTTPExchange(question, deadline: .seconds(9), stopwatch: Stopwatch(at: .zero), time: { .zero }) {
            said in
            guard word == nil else { return }
            word = said
            // Closes during the callback, as the prober does.
            channel.close(promise: nil)
        }
        try exchange.start(on: channel)
        if case .failed(let outcome) = word { throw FuzzFailure(description: "not asked: \(outcome)") }
        let fragments = input.fragments()
        try holdPieces(fragments, of: input.bytes, to: question)
        var parser = HTTPResponseParser(answering: question.options.method, keepsBody: false)
        var count = 0
        for fragment in fragments {
            channel.pipeline.fireChannelRead(ByteBuffer(bytes: fragment))
            count += fragment.count
            if word != nil { break }
            try? parser.receive(ByteBuffer(bytes: fragment))
            let limit = parser.response == nil ? HTTPResponseParser.maxHeadLength : HTTPResponseParser.maxLength
            try hold(count <= limit, "still reads after \(count) bytes")
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        guard let word else { throw FuzzFailure(description: "nothing is said of an answer that ended") }
        return word
    }

    /// Checks that the parser's result does not depend on the fragments of the response.
    private static func holdPieces(
        _ fragments: [ArraySlice<UInt8>],
        of bytes: [UInt8],
        to question: HTTPQuestion
    ) throws {
        guard bytes.count <= Mutation.longest else { return }
        func result(of pieces: [ArraySlice<UInt8>]) -> String {
            var parser = HTTPResponseParser(answering: question.options.method, keepsBody: true)
            var failure: Failure?
            do throws(Failure) {
                for piece in pieces { try parser.receive(ByteBuffer(bytes: piece)) }
                try parser.end()
            } catch {
                failure = error
            }
            let (answer, body) = (parser.response, parser.response.map { Array(buffer: $0.body) })
            return "\(answer?.status as Any) \(answer?.location as Any) \(body as Any) \(failure as Any)"
        }
        try hold(result(of: fragments) == result(of: [bytes[...]]), "the pieces make a difference")
    }

    /// Returns the kind of the result, and the prober's next request.
    private static func judge(
        _ word: HTTPExchange.Event,
        to question: HTTPQuestion
    ) throws -> (way: String, next: HTTPQuestion) {
        switch word {
        case .failed(.failure(let failure)):
            try holdShort(failure.detail)
            return (failure.reason.rawValue, question)
        case .failed(let outcome):
            throw FuzzFailure(description: "not the server's fault: \(outcome)")
        case .response(let answer):
            try hold(answer.body.readableBytes <= HTTPOptions.maxBodyLength, "\(answer.body.readableBytes) bytes kept")
            try holdShort(answer.statusText)
            if question.isFollowed(answer.status), let location = answer.location {
                guard let next = question.redirected(by: answer.status, to: location) else {
                    return ("nowhere", question)
                }
                try hold(next.options.follow == question.options.follow - 1, "does not count")
                return ("redirect", next)
            }
            guard question.options.expects(answer.status) else { return ("status", question) }
            do {
                _ = try answer.checkHeaders(question.options.responseHeaders)
            } catch {
                try holdShort(error.detail)
                return ("header", question)
            }
            for search in answer.searches(for: question.options) { try holdShort(search.failure.detail) }
            guard let pattern = question.options.body else { return ("reply", question) }
            let isShort = answer.body.readableBytes <= Mutation.longest
            let body = isShort ? answer.body : ByteBuffer(answer.body.readableBytesView.prefix(Mutation.longest))
            switch PatternSearch(pattern: pattern, text: Array(buffer: body)).run() {
            case .success(.found), .success(.atEnd):
                return ("reply", question)
            case .success(.none):
                try holdShort(answer.bodyMismatch.detail)
                return ("body", question)
            case .failure(let fault):
                throw FuzzFailure(description: "not the server's fault: \(fault)")
            }
        }
    }
}

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

struct RedirectFuzzTests {
    /// Targets in settings, and locations of redirects.
    private static let corpus: [[UInt8]] = [
        "192.0.2.1", "nas.local:445", "::1", "[::1]:22", "fe80::1%eth0", "icmp://[fe80::1%1]", "tcp://nas:22",
        "session://nas:443", "tls://mail:25", "udp://[2001:db8::1]:53", "http://a",
        "https://a:8443/b/?c=d/e?f&g=%C3%BC",
        "http://[::1]:8080", "dns://192.0.2.53/example.com?type=AAAA", "dns://system/_sip._tcp.a?type=SRV",
        "dns://[::1]:5353/a.", "link:any", "link:eth0.5", "route://9.9.9.9", "exec:", "//b.example/c", "/x/../y/./z",
        "../..",
        "?q", "a/b", "mailto:x", "http://münchen.example/", "https://b.example:443",
    ].map { Array($0.utf8) }

    private static let words: [[UInt8]] = [
        "://", ":", "[", "]", "/", "?", "#", "@", "%", "..", ".", "::", "http://", "https://", "dns://", "?type=",
        "65536", "0",
        "\u{301}", "\u{202E}", "\u{85}", "\u{200D}", "ü", "\\", "\"", "%00",
    ].map { Array($0.utf8) }

    @Test func `a URL round-trips from settings and redirects`() async {
        let fuzz = Fuzz(name: "URL", corpus: Self.corpus, words: Self.words)
        let methods = ["icmp", "tcp", "session", "tls", "udp", "http", "https", "dns", "link", "route"]
        await fuzz.run(often: ["problem"] + methods) { input in
            let text = String(decoding: input.bytes, as: UTF8.self)
            try Self.holdRedirect(to: text)
            let question: Question
            do throws(URLProblem) {
                question = try Question(text)
            } catch {
                try hold(!error.description.isEmpty, "empty description")
                return "problem"
            }
            let again: Question?
            do { again = try Question(question.url) } catch { again = nil }
            try hold(again == question, "\(text.debugDescription) is \(question), which is written \(question.url)")
            if let host = question.host {
                try holdShort(NameQuery(host).noAddress.detail)
                try holdShort(Failure(resolverCode: 0, host: host).detail)
                _ = PeerIdentity(host)
            }
            return question.method.rawValue
        }
    }

    /// Checks that the request after a redirect can be sent.
    private static func holdRedirect(to location: String) throws {
        let options = HTTPOptions(headers: [.init(name: "Cookie", value: "secret")], follow: 2)
        let first = HTTPQuestion(isSecure: true, host: "a.example", path: "/a/b?c", options: options)
        guard let next = first.redirected(by: 302, to: location) else { return }
        let head = next.requestHead
        let isPlain = head.uri.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
        try hold(head.uri.first == "/" && isPlain, "cannot be sent: \(head.uri.debugDescription)")
        let isElsewhere = next.host != first.host || next.port != first.port || !next.isSecure
        try hold(isElsewhere || next.host == "a.example", "\(next)")
        try hold(head.headers.contains(name: "Cookie") != isElsewhere, "sends a secret to \(next.host)")
        for header in head.headers {
            try hold(header.value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "\(header)")
        }
    }
}
