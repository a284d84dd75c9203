import Monitoring
import NIOCore
import Testing

@testable import Probing

struct HTTPResponseParserTests {
    /// What a response comes to, read in pieces of `size` bytes.
    private func answer(
        _ text: String,
        to method: String = "GET",
        size: Int = .max,
        isClosed: Bool = false
    ) throws(Failure) -> (answer: HTTPAnswer?, isComplete: Bool) {
        var parser = HTTPResponseParser(answering: method, keepsBody: true)
        var rest = ByteBuffer(string: text)
        while let piece = rest.readSlice(length: min(size, rest.readableBytes)), piece.readableBytes > 0 {
            try parser.receive(piece)
        }
        if isClosed { try parser.end() }
        return (parser.answer, parser.isComplete)
    }

    private func failure(_ text: String, isClosed: Bool = false) -> String? {
        do throws(Failure) {
            _ = try answer(text, isClosed: isClosed)
            return nil
        } catch {
            return error.detail
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine",
        // What curl accepts, too.
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
    ])
    func `a response is read in whatever pieces it comes`(text: String) throws {
        for size in [Int.max, 7, 1] {
            let (answer, isComplete) = try answer(text, size: size)
            #expect(answer?.status == 200)
            #expect(answer.map { String(buffer: $0.body) } == "fine")
            #expect(isComplete)
        }
    }

    @Test(arguments: [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
            "malformed HTTP: both Content-Length and Transfer-Encoding"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n",
            "malformed HTTP: two values of Content-Length"
        ),
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
        ("ICY 200 OK\r\n\r\n", "the answer is not HTTP"), ("HTTPS", "the answer is not HTTP"),
    ])
    func `a response that is not clear is refused, with the reason`(text: String, detail: String) {
        #expect(failure(text) == detail)
    }

    @Test(arguments: [
        ("GET", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"),
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n"),
    ])
    func `a response without a body is complete with its head`(method: String, text: String) throws {
        #expect(try answer(text, to: method).isComplete)
    }

    @Test func `what follows a response is not part of it`() throws {
        let (answer, _) = try answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfineHTTP/1.1 500 No\r\n\r\n")
        #expect(answer.map { String(buffer: $0.body) } == "fine")
    }

    @Test func `the end of the connection ends a body without a length, and cuts off any other`() throws {
        for text in [
            "HTTP/1.0 200 OK\r\n\r\nfine", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nfine",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nfine",
        ] {
            #expect(try !answer(text).isComplete)
            #expect(try answer(text, isClosed: true).isComplete)
        }
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for rest in ["", "4\r\n", "4\r\nfine", "4\r\nfine\r\n", "4\r\nfine\r\n0\r\n"] {
            #expect(failure(chunked + rest, isClosed: true) == "closed in the middle of the answer")
        }
        #expect(failure("", isClosed: true) == "closed without an answer")
        #expect(failure("HTTP/1.1 100 Continue\r\n\r\n", isClosed: true) == "closed in the middle of the headers")
    }

    @Test func `the first of several locations counts`() throws {
        let text = "HTTP/1.1 302 Found\r\nlocation: /a\r\n b\r\nLocation: /c\r\nContent-Length: 0\r\n\r\n"
        #expect(try answer(text).answer?.location == "/a b")
    }

    @Test func `a head has room for 80 KiB`() {
        let head = "HTTP/1.1 200 OK\r\nX: "
        let room = HTTPResponseParser.longestHead - head.utf8.count - 4
        #expect(failure(head + String(repeating: "x", count: room) + "\r\n\r\n") == nil)
        #expect(failure(head + String(repeating: "x", count: room + 1) + "\r\n\r\n") == "headers without end")
    }

    @Test func `after 101 no other response follows`() throws {
        let answer = try answer("HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\n").answer
        #expect(answer?.status == 101)
    }

    @Test func `the size of a chunk has at most fifteen digits`() throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let zeros = String(repeating: "0", count: 14)
        #expect(try answer("\(head)\(zeros)4\r\nfine\r\n0\r\n\r\n").isComplete)
        #expect(failure("\(head)\(zeros)04\r\nfine\r\n0\r\n\r\n") == "malformed HTTP: chunk size")
    }

    @Test func `a response has room for 8 MiB around its body`() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "
        let room = HTTPResponseParser.longest - head.utf8.count - 4
        #expect(failure(head + String(repeating: "x", count: room) + "\r\n\r\n") == nil)
        #expect(failure(head + String(repeating: "x", count: room + 1) + "\r\n\r\n") == "too much around the body")
    }

    @Test func `a body of exactly 1 MiB is whole, and one byte more is cut`() throws {
        for (extra, isCut) in [(-1, false), (0, false), (1, true)] {
            var answer = HTTPAnswer(status: 200, location: nil, keepsBody: true)
            answer.take(ByteBuffer(repeating: 0x61, count: HTTPOptions.longestBody - 10))
            answer.take(ByteBuffer(repeating: 0x61, count: 10 + extra))
            #expect(answer.isCut == isCut)
            #expect(answer.body.readableBytes == HTTPOptions.longestBody + min(0, extra))
        }
    }
}
