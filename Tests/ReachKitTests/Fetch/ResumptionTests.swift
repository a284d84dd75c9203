import Foundation
import ReachKit
import Synchronization
import TestSupport
import Testing

/// Bodies that are cut off, and continued by the next try.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) final class ResumptionTests: Sendable {
    private let path = FileManager.default.temporaryDirectory.path + "/reach-kit-\(UInt64.random(in: .min ... .max))"
    private let fetch = Fetch(
        prober: Prober(clock: RecordingClock()),
        waiting: .never,
        environment: [:],
        date: { Date(timeIntervalSince1970: 1_795_219_200) }
    )

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    private static let date = "Date: Fri, 20 Nov 2026 12:00:00 GMT\r\n"
    private static let tag = "ETag: \"a\"\r\n"
    private static let change = "Last-Modified: Fri, 20 Nov 2026 11:00:00 GMT\r\n"

    private static func whole(_ fields: String, _ body: String) -> ScriptedServer.Action {
        .say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\(date)\(fields)\r\n\(body)")
    }

    private static func part(_ range: String, _ fields: String, _ body: String, length: Int? = nil)
        -> ScriptedServer.Action
    {
        let framing = "Content-Length: \(length ?? body.utf8.count)\r\nContent-Range: bytes \(range)\r\n"
        return .say("HTTP/1.1 206 OK\r\n\(framing)\(fields)\r\n\(body)")
    }

    /// The rest after four bytes, without a length.
    private static func rest(_ fields: String, _ body: String) -> ScriptedServer.Action {
        .say("HTTP/1.1 206 OK\r\nContent-Range: bytes 4-9/10\r\n\(tag)\(fields)\r\n\(body)")
    }

    private func save(_ script: ScriptedServer.Action...) async throws -> (body: String?, ranges: [String?]) {
        let server = try await ScriptedServer.on(
            script[0],
            script.count > 1 ? script[1] : script[0],
            script.count > 2 ? script[2] : script[script.count - 1],
            script[script.count - 1]
        )
        let request = Fetch.Request(server.url)
        var body: String?
        do throws(Fetch.Error) {
            try await fetch.save(request, to: path, maximumRetries: 4)
            body = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        } catch {
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        let ranges = server.requests.map { text -> String? in
            let lines = text.split(separator: "\r\n")
            let value = { (field: String) in lines.first { $0.hasPrefix(field) }?.dropFirst(field.count) }
            guard let range = value("Range: bytes="), let validator = value("If-Range: ") else { return nil }
            return "\(range) \(validator)"
        }
        try await server.stop()
        return (body, ranges)
    }

    @Test(
        arguments: [
            ("ETag: \"a\"\r\n", "\"a\""),
            ("Last-Modified: Fri, 20 Nov 2026 11:00:00 GMT\r\n", "Fri, 20 Nov 2026 11:00:00 GMT"),
        ]
    )
    func `the rest is requested where a strong validator allows it`(fields: String, validator: String) async throws {
        let (body, ranges) = try await save(
            Self.whole(fields, "0123"),
            Self.part("4-9/10", fields, "45", length: 6),
            Self.part("6-9/10", fields, "6789")
        )
        #expect(body == "0123456789")
        #expect(ranges == [nil, "4- \(validator)", "6- \(validator)"])
    }

    @Test(arguments: [
        "", "ETag: W/\"a\"\r\n", "ETag: a\r\n", "Last-Modified: Fri, 20 Nov 2026 11:59:30 GMT\r\n",
        "ETag: W/\"a\"\r\nLast-Modified: Fri, 20 Nov 2026 11:00:00 GMT\r\n", "ETag: \"a\"\r\nETag: \"b\"\r\n",
    ])
    func `without one, the body is requested again`(fields: String) async throws {
        let (body, ranges) = try await save(Self.whole(fields, "0123"), Self.whole(fields, "abcdefghij"))
        #expect(body == "abcdefghij" && ranges == [nil, nil])
    }

    @Test func `a changed body replaces the first part`() async throws {
        let (body, ranges) = try await save(
            Self.whole("ETag: \"a\"\r\n", "0123"),
            Self.whole("ETag: \"b\"\r\n", "abc"),
            Self.part("3-9/10", "ETag: \"b\"\r\n", "defghij")
        )
        #expect(body == "abcdefghij" && ranges == [nil, "4- \"a\"", "3- \"b\""])
    }

    private static let otherParts: [ScriptedServer.Action] = [
        part("3-9/10", tag, "3456789"), part("4-9/11", tag, "456789"), part("4-10/11", tag, "456789A"),
        part("4-8/10", tag, "45678"), part("4-9/*", tag, "456789"), part("4-9223372036854775807/10", tag, "456789"),
        .say("HTTP/1.1 206 OK\r\nContent-Length: 6\r\n\(tag)\r\n456789"),
        // Another validator.
        part("4-9/10", "", "456789"), part("4-9/10", "ETag: \"b\"\r\n", "456789"),
        part("4-9/10", "ETag: W/\"a\"\r\n", "456789"), part("4-9/10", "\(tag)ETag: \"b\"\r\n", "456789"),
        part("4-9/10", change, "456789"),
        // Another length of the content.
        part("4-9/10", tag, "45678"), part("4-9/10", tag, "456789A"), rest("", "456789A"),
        rest("Transfer-Encoding: chunked\r\n", "7\r\n456789A\r\n0\r\n\r\n"),
        rest("Transfer-Encoding: chunked\r\n", "6\r\n456789\r\n1\r\nA\r\n0\r\n\r\n"),
        .say(.answer("416 Range Not Satisfiable")),
    ]

    @Test(arguments: otherParts)
    func `another part is never joined to the first one`(answer: ScriptedServer.Action) async throws {
        let (body, ranges) = try await save(
            Self.whole(Self.tag, "0123"),
            answer,
            Self.whole("ETag: \"b\"\r\n", "abcdefghij")
        )
        #expect(body == "abcdefghij" && ranges == [nil, "4- \"a\"", nil])
    }

    @Test(
        arguments: ["", "Last-Modified: Fri, 20 Nov 2026 11:30:00 GMT\r\n", tag, change + tag, change + change]
    )
    func `a part has the date of the first one`(fields: String) async throws {
        let (body, ranges) = try await save(
            Self.whole(Self.change, "0123"),
            Self.part("4-9/10", fields, "456789"),
            Self.whole("", "abcdefghij")
        )
        #expect(body == "abcdefghij" && ranges == [nil, "4- Fri, 20 Nov 2026 11:00:00 GMT", nil])
    }

    @Test(arguments: [("", "456"), ("Transfer-Encoding: chunked\r\n", "3\r\n456\r\n0\r\n\r\n")])
    func `a part that ends too early is incomplete`(framing: String, content: String) async throws {
        let (body, ranges) = try await save(
            Self.whole(Self.tag, "0123"),
            Self.rest(framing, content),
            Self.part("7-9/10", Self.tag, "789")
        )
        #expect(body == "0123456789" && ranges == [nil, "4- \"a\"", "7- \"a\""])
    }

    @Test func `all parts have the same length of the whole body`() async throws {
        let (body, ranges) = try await save(
            .say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(Self.tag)\r\n4\r\n0123\r\n"),
            Self.part("4-9/10", Self.tag, "45", length: 6),
            Self.part("6-10/11", Self.tag, "6789A"),
            Self.whole("ETag: \"b\"\r\n", "abcdefghij")
        )
        #expect(body == "abcdefghij" && ranges == [nil, "4- \"a\"", "6- \"a\"", nil])
    }

    @Test func `a part is requested only from the URL of the first one, after redirects`() async throws {
        let target = try await ScriptedServer.on(
            Self.whole(Self.tag, "0123"),
            Self.part("4-9/10", Self.tag, "456789")
        )
        let server = try await ScriptedServer.on(.say(.answer("302 Found", "Location: \(target.url)")))
        try await fetch.save(Fetch.Request(server.url), to: path, maximumRetries: 1)
        #expect(FileManager.default.contents(atPath: path) == Data("0123456789".utf8))
        #expect(server.requests.count == 2 && !server.requests.contains { $0.contains("Range: ") })
        #expect(target.requests.map { $0.contains("\r\nRange: bytes=4-\r\n") } == [false, true])
        try await server.stop()
        try await target.stop()
    }

    @Test(arguments: [false, true])
    func `another URL is not asked for a part`(isRedirectedFirst: Bool) async throws {
        let other = try await ScriptedServer.on(Self.whole(Self.tag, "abcdefghij"))
        let target = try await ScriptedServer.on(Self.whole(Self.tag, "0123"))
        let server = try await ScriptedServer.on(
            isRedirectedFirst
                ? .say(.answer("302 Found", "Location: \(target.url)")) : Self.whole(Self.tag, "0123"),
            .say(.answer("302 Found", "Location: \(other.url)"))
        )
        try await fetch.save(Fetch.Request(server.url), to: path, maximumRetries: 1)
        #expect(FileManager.default.contents(atPath: path) == Data("abcdefghij".utf8))
        #expect(server.requests.count == 2 && server.requests[1].contains("Range: ") == !isRedirectedFirst)
        #expect(other.requests.count == 1 && !other.requests[0].contains("Range: "))
        for running in [server, target, other] { try await running.stop() }
    }

    /// A sink whose bytes cannot be undone.
    private final class CommittingSink: BodySink {
        let bytes = Mutex<[UInt8]>([])

        var committedBytes: Int64 { bytes.withLock { Int64($0.count) } }
        var receivedBytes: Int64? { committedBytes }
        var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

        func begin(with head: Fetch.Response?) {}
        func write(_ piece: [UInt8]) { bytes.withLock { $0 += piece } }
        func finish() {}
        func discard() {}
    }

    @Test(
        arguments: [
            rest("", "456789A"), part("4-9/10", "ETag: \"b\"\r\n", "456789"), whole("ETag: \"b\"\r\n", "abcd"),
        ]
    )
    func `what cannot be undone is never followed by another body`(answer: ScriptedServer.Action) async throws {
        let server = try await ScriptedServer.on(
            Self.whole(Self.tag, "0123"),
            answer,
            Self.part("4-9/10", "ETag: \"b\"\r\n", "efghij")
        )
        let fetch = Fetch(
            prober: Prober(clock: RecordingClock()),
            policy: Fetch.Policy(isRetryable: { _ in true }),
            waiting: .never,
            environment: [:],
            date: { Date(timeIntervalSince1970: 1_795_219_200) }
        )
        let sink = CommittingSink()
        await #expect(throws: Fetch.Error.self) {
            try await fetch.save(Fetch.Request(server.url), to: sink, maximumRetries: 4, onEvent: { _ in })
        }
        #expect("0123456789".hasPrefix(sink.text))
        #expect(server.requests.count == 2)
        try await server.stop()
    }

    @Test func `other errors between the parts change nothing`() async throws {
        let (body, ranges) = try await save(
            Self.whole("ETag: \"a\"\r\n", "0123"),
            .say(.answer("502 Bad Gateway", "ETag: \"x\"", body: "oh")),
            Self.part("4-9/10", Self.tag, "456789")
        )
        #expect(body == "0123456789" && ranges == [nil, "4- \"a\"", "4- \"a\""])
    }

    @Test func `a body in memory, and one with a Range, begin anew`() async throws {
        let script = (Self.whole("ETag: \"a\"\r\n", "0123"), Self.whole("ETag: \"a\"\r\n", "0123456789"))
        let server = try await ScriptedServer.on(script.0, script.1)
        #expect(try await fetch.data(from: server.url) == Data("0123456789".utf8))
        #expect(!server.requests[1].contains("Range"))
        try await server.stop()
    }
}
