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

    private static func whole(_ fields: String, _ body: String) -> ScriptedServer.Action {
        .say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\(date)\(fields)\r\n\(body)")
    }

    private static func part(_ range: String, _ fields: String, _ body: String, length: Int? = nil)
        -> ScriptedServer.Action
    {
        let framing = "Content-Length: \(length ?? body.utf8.count)\r\nContent-Range: bytes \(range)\r\n"
        return .say("HTTP/1.1 206 OK\r\n\(framing)\(fields)\r\n\(body)")
    }

    private func save(_ script: ScriptedServer.Action...) async throws -> (body: String?, ranges: [String?]) {
        let server = try await ScriptedServer.on(
            script[0],
            script.count > 1 ? script[1] : script[0],
            script.count > 2 ? script[2] : script[script.count - 1]
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
            Self.part("4-9/10", fields.hasPrefix("E") ? fields : "", "45", length: 6),
            Self.part("6-9/10", "", "6789")
        )
        #expect(body == "0123456789")
        #expect(ranges == [nil, "4- \(validator)", "6- \(validator)"])
    }

    @Test(arguments: [
        "", "ETag: W/\"a\"\r\n", "ETag: a\r\n", "Last-Modified: Fri, 20 Nov 2026 11:59:30 GMT\r\n",
        "ETag: W/\"a\"\r\nLast-Modified: Fri, 20 Nov 2026 11:00:00 GMT\r\n",
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

    @Test(
        arguments: [
            part("3-9/10", "", "3456789"), part("4-9/11", "", "456789"), part("4-9/10", "ETag: \"b\"\r\n", "456789"),
            part("4-8/10", "", "45678"), .say("HTTP/1.1 206 OK\r\nContent-Length: 6\r\n\r\n456789"),
            .say(.answer("416 Range Not Satisfiable")),
        ]
    )
    func `another part is never joined to the first one`(answer: ScriptedServer.Action) async throws {
        let (body, ranges) = try await save(
            Self.whole("ETag: \"a\"\r\n", "0123"),
            answer,
            Self.whole("ETag: \"b\"\r\n", "abcdefghij")
        )
        #expect(body == "abcdefghij" && ranges == [nil, "4- \"a\"", nil])
    }

    @Test func `other errors between the parts change nothing`() async throws {
        let (body, ranges) = try await save(
            Self.whole("ETag: \"a\"\r\n", "0123"),
            .say(.answer("502 Bad Gateway", "ETag: \"x\"", body: "oh")),
            Self.part("4-9/10", "", "456789")
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
