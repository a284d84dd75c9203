import Foundation
import ReachKit
import Synchronization
import TestSupport
import Testing

/// Bodies from files and to files.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) final class FetchFileTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.path + "/reach-kit-\(UInt64.random(in: .min ... .max))"
    private let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])

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

    @Test func `a file appears when it is complete, and each step is an event`() async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("503 Busy")),
            .say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
            .say(.answer("200 OK", body: "fine"))
        )
        let steps = Mutex<[String]>([])
        let response = try await fetch.save(Fetch.Request(server.url), to: "\(folder)/file") { event in
            let step =
                switch event {
                case .waiting: "waiting"
                case .sending(let number): "try \(number)"
                case .pausing(_, let tries, let error): "pause after \(tries): \(error)"
                case .receiving(let length): "receiving \(length ?? -1)"
                case .received(let count, let length): "received \(count) of \(length ?? -1)"
                case .sent(let count, let length): "sent \(count) of \(length)"
                }
            steps.withLock { $0.append(step) }
        }
        #expect(response.status == 200 && response.body.isEmpty)
        #expect(text("file") == "fine")
        #expect(files == ["file"])
        #expect(
            steps.withLock { $0 } == [
                "try 1", "pause after 1: HTTP 503", "try 2", "receiving 100", "received 4 of 100",
                "pause after 2: connection lost after 4 of 100 B", "try 3", "receiving 4", "received 4 of 4",
            ]
        )
        try await server.stop()
    }

    @Test(
        arguments: [
            ScriptedServer.Action.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
            .say(.answer("404 Not Found", body: "nothing here")), .breakOff(after: ""),
        ]
    )
    func `a failed fetch writes nothing, and an older file stays`(_ deed: ScriptedServer.Action) async throws {
        try Data("old".utf8).write(to: URL(filePath: "\(folder)/file"))
        let server = try await ScriptedServer.on(deed)
        for name in ["file", "new"] {
            await #expect(throws: Fetch.Error.self) {
                try await fetch.save(Fetch.Request(server.url), to: "\(folder)/\(name)", maximumRetries: 1)
            }
        }
        #expect(files == ["file"])
        #expect(text("file") == "old")
        try await server.stop()
    }

    @Test func `a part of a file is incomplete, unless the request has a Range`() async throws {
        let part = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-3/100\r\nContent-Length: 4\r\n\r\nhalf"
        let server = try await ScriptedServer.on(.say(part))
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.save(Fetch.Request(server.url), to: "\(folder)/file")
        }
        #expect(error?.description == "HTTP 206, but then: only a part of the body, which was not requested")
        #expect(files.isEmpty && server.requests.count == 1)
        await #expect(throws: Fetch.Error.self) { try await fetch.data(from: server.url) }

        let request = Fetch.Request(server.url, headers: [.range: "bytes=0-3"])
        try await fetch.save(request, to: "\(folder)/file")
        #expect(text("file") == "half")
        #expect(try await fetch.data(from: request) == Data("half".utf8))
        try await server.stop()
    }

    @Test func `a redirect to another server has no Range, so a part from there is incomplete`() async throws {
        let part = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-3/100\r\nContent-Length: 4\r\n\r\nhalf"
        let server = try await ScriptedServer.on(.say(part))
        let first = try await ScriptedServer.on(.say(.answer("302 Found", "Location: \(server.url)")))
        let request = Fetch.Request(first.url, headers: [.range: "bytes=0-3"])
        await #expect(throws: Fetch.Error.self) { try await fetch.save(request, to: "\(folder)/file") }
        #expect(files.isEmpty)
        try await server.stop()
        try await first.stop()
    }

    @Test(arguments: ["target", "other/target", "chain"])
    func `the target of a dangling link is created, and the link stays`(_ destination: String) async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(folder)/other", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: destination)
        if destination == "chain" {
            try manager.createSymbolicLink(atPath: "\(folder)/chain", withDestinationPath: "\(folder)/target")
        }
        try await fetch.save(Fetch.Request(server.url), to: "\(folder)/link")
        #expect(try manager.destinationOfSymbolicLink(atPath: "\(folder)/link") == destination)
        #expect(text(destination == "chain" ? "target" : destination) == "fine")
        #expect(try manager.contentsOfDirectory(atPath: "\(folder)/other").count == (destination.contains("/") ? 1 : 0))
        try await server.stop()
    }

    @Test func `a link to a missing folder is an error before the request, and stays`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "none/file")
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.save(Fetch.Request(server.url), to: "\(folder)/link")
        }
        #expect(error?.description == "cannot write \(folder)/none/file: No such file or directory")
        #expect(server.requests.isEmpty && files == ["link"])
        try await server.stop()
    }

    @Test func `a fetch that is cancelled during the body leaves no file`() async throws {
        let (receipts, receipt) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"))
        let saving = Task { [fetch, folder] in
            try await fetch.save(Fetch.Request(server.url), to: "\(folder)/file") { event in
                if case .received = event { receipt.yield() }
            }
        }
        for await _ in receipts { break }
        #expect(files.count == 1)
        saving.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await saving.value }
        #expect(files.isEmpty)
        try await server.stop()
    }

    @Test func `a path that cannot be written is an error before the request`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.save(Fetch.Request(server.url), to: "\(folder)/none/file")
        }
        #expect(error?.description == "cannot write \(folder)/none/file: No such file or directory")
        #expect(server.requests.isEmpty)
        let full = await #expect(throws: Fetch.Error.self) {
            try await fetch.save(Fetch.Request(server.url), to: "/dev/full")
        }
        #expect(full?.description == "cannot write /dev/full: No space left on device")
        try await server.stop()
    }

    @Test(arguments: [0o600, 0o640, 0o666, 0o700])
    func `a file that is replaced keeps its permissions`(_ mode: Int) async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let path = "\(folder)/file"
        try Data("old".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try await fetch.save(Fetch.Request(server.url), to: path)
        #expect(text("file") == "fine")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
        try await server.stop()
    }

    @Test func `a file can have the name of a dash`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        defer { try? FileManager.default.removeItem(atPath: "-") }
        try await fetch.save(Fetch.Request(server.url), to: "-")
        #expect(FileManager.default.contents(atPath: "-") == Data("fine".utf8))
        try await server.stop()
    }

    @Test func `a body in memory has the same events as one in a file`() async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("503 Busy", body: "not now")),
            .say(.answer("200 OK", body: "fine"))
        )
        let steps = Mutex<[Fetch.Event]>([])
        _ = try await fetch.data(from: server.url) { event in
            if case .pausing = event { return }
            steps.withLock { $0.append(event) }
        }
        #expect(
            steps.withLock(\.self) == [
                .sending(try: 1), .sending(try: 2), .receiving(length: 4), .received(4, of: 4),
            ]
        )
        try await server.stop()
    }

    @Test func `the progress of a continued body counts the whole of it`() async throws {
        let tag = "ETag: \"a\"\r\n"
        let server = try await ScriptedServer.on(
            .say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\(tag)\r\n0123"),
            .say("HTTP/1.1 206 OK\r\nContent-Length: 6\r\nContent-Range: bytes 4-9/10\r\n\(tag)\r\n456789")
        )
        let steps = Mutex<[Fetch.Event]>([])
        try await fetch.save(server.url, to: "\(folder)/file") { event in
            switch event {
            case .receiving, .received: steps.withLock { $0.append(event) }
            default: break
            }
        }
        #expect(
            steps.withLock(\.self) == [
                .receiving(length: 10), .received(4, of: 10), .receiving(length: 6), .received(10, of: 10),
            ]
        )
        try await server.stop()
    }

    @Test func `the progress of a request's body ends with its length`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK")))
        let steps = Mutex<[[Int64]]>([])
        let body = Fetch.Body.text(String(repeating: "0123456789", count: 20_000))
        _ = try await fetch.data(from: Fetch.Request(server.url, method: "PUT", body: body)) { event in
            if case .sent(let count, let length) = event { steps.withLock { $0.append([count, length]) } }
        }
        let counts = steps.withLock(\.self)
        #expect(counts.map { $0[1] } == counts.map { _ in 200_000 })
        #expect(counts.map { $0[0] } == counts.map { $0[0] }.sorted() && counts.last?[0] == 200_000)
        try await server.stop()
    }

    @Test func `bytes and files are the same at every try`() async throws {
        let long = String(repeating: "0123456789", count: 20_000)
        try Data(long.utf8).write(to: URL(filePath: "\(folder)/data"))
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")), .say(.answer("200 OK")))
        var body = Fetch.Body.data(Data("a=1&".utf8))
        body.append(.file("\(folder)/data"))
        let request = Fetch.Request(server.url, method: "PUT", body: body)
        #expect(try await fetch.data(from: request).isEmpty)
        let sent = server.requests.map { request in
            request.firstRange(of: "\r\n\r\n").map { String(request[$0.upperBound...]) }
        }
        #expect(sent == ["a=1&" + long, "a=1&" + long])
        try await server.stop()
    }

    @Test func `a missing file is an error before the request`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK")))
        let request = Fetch.Request(server.url, method: "PUT", body: .file("\(folder)/none"))
        let error = await #expect(throws: Fetch.Error.self) { try await fetch.data(from: request) }
        #expect(error?.description == "cannot read \(folder)/none: No such file or directory")
        #expect(server.requests.isEmpty)
        try await server.stop()
    }
}
