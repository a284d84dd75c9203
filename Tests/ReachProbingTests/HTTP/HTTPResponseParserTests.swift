import NIOCore
import ReachMonitoring
import Testing

@testable import ReachProbing

struct HTTPResponseParserTests {
    /// Parses a response in pieces of `size` bytes.
    private func parse(
        _ text: String,
        to method: String = "GET",
        size: Int = .max,
        isClosed: Bool = false
    ) throws(Failure) -> (response: HTTPResponse?, isComplete: Bool) {
        var parser = HTTPResponseParser(answering: method, keepsBody: true)
        var rest = ByteBuffer(string: text)
        while let piece = rest.readSlice(length: min(size, rest.readableBytes)), piece.readableBytes > 0 {
            try parser.receive(piece)
        }
        if isClosed { try parser.end() }
        return (parser.response, parser.isComplete)
    }

    private func failure(_ text: String, isClosed: Bool = false) -> String? {
        do throws(Failure) {
            _ = try parse(text, isClosed: isClosed)
            return nil
        } catch {
            return error.detail
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine",
        // Accepted by curl, too.
        "HTTP/1.1 200 OK\nContent-Length: 4\n\nfine",
        "HTTP/1.1 200 OK\nContent-Length: 4\r\n\nfine",
        "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\tc\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n 4\r\n\r\nfine",
        "HTTP/1.1 200 OK\r\nContent-Length : 4\r\nX \t: y\r\n\r\nfine",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\ncontent-length: 4\r\n\r\nfine",
        "HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\n\r\nfine",
        "HTTP/2.0 200 OK\r\nContent-Length: 4\r\n\r\nfine", "HTTP/2 200\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nfine", "\r\n\nHTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nfi\r\n2;x=y\r\nne\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip,\r\n Chunked\r\n\r\n04 \nfine\n0\nX: trailer\n\n",
        // Transfer-Encoding overrides Content-Length, as for curl and Go (RFC 9112 §6.3).
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: x\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        // `identity` is no coding, as for curl.
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 4\r\n\r\nfine",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity, chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\nContent-Length: 4\r\n\r\nfine",
        // Blanks and empty elements are ignored (RFC 9110 §5.6.1).
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\t\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked,\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: , chunked ,\t,\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
    ])
    func `a response is parsed in pieces of any size`(text: String) throws {
        for size in [Int.max, 7, 1] {
            let (response, isComplete) = try parse(text, size: size)
            #expect(response?.status == 200)
            #expect(response.map { String(buffer: $0.body) } == "fine")
            #expect(isComplete)
        }
    }

    @Test(arguments: [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n",
            "malformed HTTP: two values of Content-Length"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551619\r\n\r\nfine", "malformed HTTP: Content-Length"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\n", "malformed HTTP: Content-Length"),
        ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", "malformed HTTP: Content-Length"),
        ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "malformed HTTP: header without a colon"),
        ("HTTP/1.1 200 OK\r\n: x\r\n\r\n", "malformed HTTP: header without a name"),
        ("HTTP/1.1 200 OK\r\n folded\r\n\r\n", "malformed HTTP: first header"),
        ("HTTP/1.1 200 OK\r\nX: \u{0}\r\n\r\n", "malformed HTTP: NUL in the headers"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "malformed HTTP: chunk size"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", "malformed HTTP: chunk size"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", "malformed HTTP: chunk size"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "malformed HTTP: chunk"),
        ("HTTP/1.1 20 OK\r\n\r\n", "the answer is not HTTP"), ("HTTP/1.1 2000 OK\r\n\r\n", "the answer is not HTTP"),
        ("HTTP/1.1 099 OK\r\n\r\n", "the answer is not HTTP"), ("HTTP/4 200 OK\r\n\r\n", "the answer is not HTTP"),
        ("HTTP/1.1\r\n\r\n", "the answer is not HTTP"), ("HTTP/1.10 200\r\n\r\n", "the answer is not HTTP"),
        ("\u{0}\u{0}\u{6}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{3}\u{0}\u{0}\u{0}d", "speaks only HTTP/2"),
        ("\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}", "speaks only HTTP/2"),
        ("\u{0}\u{0}\u{6}\u{7}", "the answer is not HTTP"), ("\u{0}\n", "the answer is not HTTP"),
        ("ICY 200 OK\r\n\r\n", "the answer is not HTTP"), ("HTTPS", "the answer is not HTTP"),
    ])
    func `an ambiguous response is rejected with the reason`(text: String, detail: String) {
        #expect(failure(text) == detail)
    }

    @Test(arguments: [
        "xchunked", "chunked;q=1", "x, chunked", "chunked, gzip", "chunked, gzip, chunked", "br, chunked",
    ])
    func `an unknown transfer coding is refused`(coding: String) {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n4\r\nfine\r\n0\r\n\r\n"
        #expect(failure(text) == "unsupported Transfer-Encoding \"\(coding)\"")
    }

    @Test(arguments: [
        ("GET", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"),
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("GET", "HTTP/1.1 204 No Content\r\nContent-Length: 9\r\nTransfer-Encoding: gzip\r\n\r\n"),
        ("GET", "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: xchunked\r\n\r\n"),
        ("HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n"),
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n"),
    ])
    func `a response without a body is complete with its head`(method: String, text: String) throws {
        #expect(try parse(text, to: method).isComplete)
    }

    @Test func `the beginning of an HTTP/2 frame alone is not HTTP`() throws {
        #expect(failure("\u{0}\u{0}\u{6}") == nil)
        #expect(failure("\u{0}\u{0}\u{6}", isClosed: true) == "the answer is not HTTP")
    }

    @Test func `the codings of a body are those of its content, then those of its transfer`() throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Deflate, chunked\r\nContent-Encoding: GZIP\r\n"
        #expect(try parse(head + "content-encoding: br\r\n\r\n").response?.codings == ["gzip", "br", "deflate"])
    }

    @Test func `bytes after a response are ignored`() throws {
        let (response, _) = try parse("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfineHTTP/1.1 500 No\r\n\r\n")
        #expect(response.map { String(buffer: $0.body) } == "fine")
    }

    @Test func `a closed connection ends a body without a length and truncates any other`() throws {
        for text in [
            "HTTP/1.0 200 OK\r\n\r\nfine", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nfine",
        ] {
            #expect(try !parse(text).isComplete)
            #expect(try parse(text, isClosed: true).isComplete)
        }
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for (rest, size) in [
            ("", 0), ("4\r\n", 0), ("4\r\nfine", 4), ("4\r\nfine\r\n", 4), ("4\r\nfine\r\n0\r\n", 4),
        ] {
            let place = size == 0 ? "in the body" : "after \(size) B"
            #expect(failure(chunked + rest, isClosed: true) == "connection lost \(place)")
        }
        let long = "HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n" + String(repeating: "x", count: 200_000)
        #expect(failure(long, isClosed: true) == "connection lost after 200 of 500 kB")
        #expect(failure("", isClosed: true) == "closed without an answer")
        #expect(failure("HTTP/1.1 100 Continue\r\n\r\n", isClosed: true) == "closed in the middle of the headers")
    }

    @Test func `the first of several Location fields is used`() throws {
        let text = "HTTP/1.1 302 Found\r\nlocation: /a\r\n b\r\nLocation: /c\r\nContent-Length: 0\r\n\r\n"
        #expect(try parse(text).response?.location == "/a b")
        let empty = "HTTP/1.1 302 Found\r\nLocation:\r\nContent-Length: 0\r\n\r\n"
        #expect(try parse(empty).response?.location == nil)
    }

    @Test func `a head has at most 80 KiB`() {
        let head = "HTTP/1.1 200 OK\r\nX: "
        let room = HTTPResponseParser.maxHeadLength - head.utf8.count - 4
        #expect(failure(head + String(repeating: "x", count: room) + "\r\n\r\n") == nil)
        #expect(failure(head + String(repeating: "x", count: room + 1) + "\r\n\r\n") == "headers exceed 80 KiB")
    }

    @Test func `a 101 response is final`() throws {
        let response = try parse("HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\n").response
        #expect(response?.status == 101)
    }

    @Test func `a chunk size has at most fifteen digits`() throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let zeros = String(repeating: "0", count: 14)
        #expect(try parse("\(head)\(zeros)4\r\nfine\r\n0\r\n\r\n").isComplete)
        #expect(failure("\(head)\(zeros)04\r\nfine\r\n0\r\n\r\n") == "malformed HTTP: chunk size")
    }

    @Test func `a response has at most 8 MiB`() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "
        let room = HTTPResponseParser.maxLength - head.utf8.count - 4
        #expect(failure(head + String(repeating: "x", count: room) + "\r\n\r\n") == nil)
        #expect(failure(head + String(repeating: "x", count: room + 1) + "\r\n\r\n") == "response exceeds 8 MiB")
    }

    @Test func `a body of exactly 1 MiB is kept and one byte more is truncated`() throws {
        for (extra, isTruncated) in [(-1, false), (0, false), (1, true)] {
            var response = HTTPResponse(status: 200, location: nil, keepsBody: true)
            response.append(ByteBuffer(repeating: 0x61, count: HTTPOptions.maxBodyLength - 10))
            response.append(ByteBuffer(repeating: 0x61, count: 10 + extra))
            #expect(response.isTruncated == isTruncated)
            #expect(response.body.readableBytes == HTTPOptions.maxBodyLength + min(0, extra))
        }
    }
}
