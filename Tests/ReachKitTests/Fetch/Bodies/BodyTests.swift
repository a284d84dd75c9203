import Foundation
import TestSupport
import Testing

@testable import ReachKit

/// Bodies of requests and responses: sources and sinks.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) final class BodyTests: Sendable {
    private let folder =
        FileManager.default.temporaryDirectory.path
        + "/reach-bodies-\(UInt64.random(in: .min ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }

    private func fetch(_ request: Fetch.Request, into sink: any BodySink, maximumRetries: Int = 10) async -> FetchRecord
    {
        await FetchRecord(request, maximumRetries: maximumRetries, repeatsAnyMethod: true, into: sink)
    }

    @Test(
        arguments: [
            ScriptedServer.Action.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf an ans"),
            .say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf \r\n"),
            .breakOff(after: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf an ans"),
        ]
    )
    func `an incomplete body is restarted, and the file is complete`(_ deed: ScriptedServer.Action) async throws {
        let server = try await ScriptedServer.on(deed, deed, .say(.answer("200 OK", body: "fine")))
        let result = await fetch(Fetch.Request(server.url), into: FileSink("\(folder)/file"))
        #expect(result.summary == "HTTP 200, tried 3 times")
        #expect(text("file") == "fine")
        #expect(files == ["file"])
        try await server.stop()
    }

    @Test func `an incomplete file leaves only the old one`() async throws {
        try Data("old".utf8).write(to: URL(filePath: "\(folder)/file"))
        let server = try await ScriptedServer.on(.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"))
        let sink = FileSink("\(folder)/file")
        let result = await fetch(Fetch.Request(server.url), into: sink, maximumRetries: 1)
        #expect(result.summary == "connection lost after 4 of 100 B, tried 2 times")
        #expect(text("file") == "old")
        #expect(files.count == 2, "the hidden file stays until it is discarded")
        sink.discard()
        #expect(files == ["file"])
        try await server.stop()
    }

    @Test func `the body of a bad response is not written`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("404 Not Found", body: "nothing here")))
        let result = await fetch(Fetch.Request(server.url), into: FileSink("\(folder)/file"))
        #expect(result.summary == "HTTP 404")
        #expect(files.isEmpty)
        try await server.stop()
    }

    @Test func `a symbolic link is kept, and its target is replaced`() async throws {
        try Data("old".utf8).write(to: URL(filePath: "\(folder)/real"))
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "real")
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        _ = await fetch(Fetch.Request(server.url), into: FileSink("\(folder)/link"))
        #expect(text("real") == "fine")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/link") == "real")
        try await server.stop()
    }

    @Test func `a stream is not restarted after a write`() async throws {
        let path = "\(folder)/pipe"
        // Well over the limit: the reset of the connection can drop the last bytes.
        let size = 8 * StreamSink.bufferSize
        let long = "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n" + String(repeating: "x", count: size)
        let short = "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\nhalf"
        let server = try await ScriptedServer.on(
            .say(short),
            .say(.answer("200 OK", body: "fine")),
            .breakOff(after: long)
        )
        try Data().write(to: URL(filePath: path))
        // A body that fits in the buffer is written at its end: nothing of the first one was written.
        let first = await fetch(Fetch.Request(server.url), into: StreamSink(path: path))
        #expect(first.summary == "HTTP 200, tried 2 times")
        #expect(text("pipe") == "fine")
        try await server.stop()

        let breaking = try await ScriptedServer.on(.say(long))
        let sink = StreamSink(path: path)
        let second = await fetch(Fetch.Request(breaking.url), into: sink)
        #expect(second.summary.hasPrefix("connection lost after "))
        #expect(!sink.canRestart)
        #expect(sink.committedBytes > 0 && sink.committedBytes <= Int64(size))
        try await breaking.stop()
    }

    @Test func `a sink that is full ends the fetch with the error`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let result = await fetch(Fetch.Request(server.url), into: StreamSink(path: "/dev/full"))
        #expect(result.summary == "cannot write /dev/full: No space left on device")
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `a body is the same at every try, from memory and from a file`() async throws {
        let long = String(repeating: "0123456789", count: 20_000)
        try Data(long.utf8).write(to: URL(filePath: "\(folder)/data"))
        let server = try await ScriptedServer.on(
            .say(.answer("503 Busy")),
            .say(.answer("200 OK"))
        )
        var body = Fetch.Body.text("a=1&")
        body.append(.file("\(folder)/data"))
        let request = Fetch.Request(server.url, method: "POST", body: body)
        let result = await fetch(request, into: FileSink("\(folder)/file"))
        #expect(result.summary == "HTTP 200, tried 2 times")
        let sent = server.requests.map { request in
            request.firstRange(of: "\r\n\r\n").map { String(request[$0.upperBound...]) }
        }
        #expect(sent == ["a=1&" + long, "a=1&" + long])
        #expect(server.requests.allSatisfy { $0.lowercased().contains("\r\ncontent-length: 200004\r\n") })
        try await server.stop()
    }

    @Test func `the error of a missing file has its name`() async {
        let problem = await #expect(throws: Fetch.Error.self) { try await BodyFile.open("/nowhere/data") }
        #expect(problem?.description == "cannot read /nowhere/data: No such file or directory")
    }

    @Test(
        arguments: [
            ("a\0b", "invalid file name \"a\\0b\" – it contains a NUL"), ("", "invalid file name \"\""),
            ("/tmp/", "/tmp/ is a folder – name a file in it"),
            ("/nowhere/file", "cannot write /nowhere/file: No such file or directory"),
            ("x/", "invalid file name \"x/\""),
            ("/etc/passwd/x", "cannot write /etc/passwd/x: Not a directory"),
            (
                "/tmp/" + String(repeating: "x", count: 300),
                "cannot write /tmp/" + String(repeating: "x", count: 300) + ": File name too long"
            ),
        ]
    )
    func `a path that cannot be written is an error at once`(_ path: String, _ description: String) {
        let problem = #expect(throws: Fetch.Error.self) { try Fetch.sink(to: path) }
        #expect(problem?.description == description)
    }

    // Alone: the port of the stopped server must not become another test's.
    @Test(.alone) func `a redirect is followed, without the header fields`() async throws {
        let elsewhere = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let server = try await ScriptedServer.on(.say(.answer("302 Found", "Location: \(elsewhere.url)")))
        var request = Fetch.Request(server.url, headers: [.authorization: "secret"], redirectLimit: 1)
        #expect(await fetch(request, into: FileSink("\(folder)/file")).summary == "HTTP 200")
        #expect(text("file") == "fine")
        #expect(elsewhere.requests.first?.contains("secret") == false)
        #expect(server.requests.first?.contains("\r\nAuthorization: secret\r\n") == true)
        try await elsewhere.stop()

        request.headers = [:]
        let result = await fetch(request, into: FileSink("\(folder)/file"), maximumRetries: 0)
        #expect(result.summary == "refused, after a redirect to 127.0.0.1")
        try await server.stop()
    }
}

/// Errors of files that are sent and files that are written.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) final class FileBodyTests: Sendable {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/reach-files-\(UInt32.random(in: .min ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a truncated file is reported, and not an older error`() async throws {
        let path = "\(folder)/data"
        try Data(repeating: 1, count: 1_000).write(to: URL(filePath: path))
        let file = try await BodyFile.open(path)
        #expect(truncate(path, 0) == 0)
        // Each call leaves its `errno` on a thread that the next one may use.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { _ = try? await BodyFile.open("/nowhere/data") } }
        }
        for _ in 0..<16 {
            let problem = await #expect(throws: Fetch.Error.self) { try await file.piece(at: 0) }
            #expect(problem == .file("\(path) has become shorter"))
        }
    }

    @Test func `named pipes without a writer block nothing, and can be cancelled`() async throws {
        let pipe = "\(folder)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let opening = (0..<64).map { _ in Task { try await BodyFile.open(pipe) } }
        // More pipes than threads for blocking calls.
        let path = "\(folder)/data"
        try Data("fine".utf8).write(to: URL(filePath: path))
        for _ in 0..<16 { #expect(try await BodyFile.open(path).length == 4) }
        for task in opening { task.cancel() }
        for task in opening { await #expect(throws: Fetch.Error.cancelled) { try await task.value } }
    }

    @Test func `a named pipe is read to its end, whenever its writer comes`() async throws {
        let pipe = "\(folder)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let opening = Task { try await BodyFile.open(pipe) }
        let long = Data(repeating: 7, count: 200_000)
        // Opening a pipe to write waits for its reader.
        Thread.detachNewThread { try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: long) }
        let file = try await opening.value
        #expect(file.length == 200_000)
        #expect(try await file.piece(at: 199_999) == [7])
        #expect(try await file.piece(at: 0).count == BodyFile.pieceLength)
    }

    @Test func `a device is an error, unless it is empty`() async throws {
        let problem = await #expect(throws: Fetch.Error.self) { try await BodyFile.open("/dev/zero") }
        #expect(problem == .file("/dev/zero is a device – name a file or a pipe"))
        #expect(try await BodyFile.open("/dev/null").length == 0)
    }

    @Test func `a discarded file cannot begin again`() async throws {
        let sink = FileSink("\(folder)/file")
        try await sink.begin(with: nil)
        sink.discard()
        await #expect(throws: Fetch.Error.self) { try await sink.begin(with: nil) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `a file's name that contains a NUL is an error before the request`() async {
        let request = Fetch.Request(ScriptedServer.closedURL, method: "PUT", body: .file("/etc/hosts\0b"))
        let record = await FetchRecord(request, maximumRetries: 0)
        #expect(record.error == .file("invalid file name \"/etc/hosts\\0b\" – it contains a NUL"))
    }

    @Test func `many short texts are few parts, in their order`() {
        var body: Fetch.Body = ""
        for number in 0..<100_000 { body.append(.text("\(number),")) }
        body.append(.file("/etc/hosts"))
        body.append("end")
        #expect(body.parts.count < 20)
        let bytes = body.parts.flatMap { part -> [UInt8] in
            if case .bytes(let bytes) = part { bytes } else { [] }
        }
        #expect(bytes == Array(((0..<100_000).map { "\($0)," }.joined() + "end").utf8))
    }
}
