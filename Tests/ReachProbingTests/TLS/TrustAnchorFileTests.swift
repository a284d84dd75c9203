import Dispatch
import Foundation
import NIOCore
import NIOEmbedded
import NIOSSL
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

/// CA files that are created, changed and removed while in use.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct TrustAnchorFileTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("ca-\(UUID().uuidString).pem").path

    private func write(_ authorities: [Authority]) throws {
        let text = authorities.map(\.certificate.pem).joined(separator: "\n")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func count(_ file: CachedFile<TrustAnchors>) -> Int? {
        try? file.result.get().count
    }

    @Test func `a file is read again only after a change`() throws {
        let (one, other) = (try Authority(), try Authority())
        try write([one])
        let first = CachedFile<TrustAnchors>(AuthorityFiles(path))
        #expect(count(first) == 1)
        #expect(first.refreshed(after: .zero) === first)
        #expect(first.refreshed(after: .seconds(60)) === first)
        try write([one, other])
        #expect(first.refreshed(after: .seconds(60)) === first, "it was checked just now")
        let second = first.refreshed(after: .zero)
        #expect(count(second) == 2)
        #expect(second.refreshed(after: .zero) === second)
        try FileManager.default.removeItem(atPath: path)
        #expect(count(second.refreshed(after: .zero)) == nil, "the file is removed")
    }

    @Test func `the environment names a file and folders, which a CA file replaces`() throws {
        let folder = path + ".d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer {
            for path in [folder, path] { try? FileManager.default.removeItem(atPath: path) }
        }
        func anchors(_ environment: [String: String], _ file: String? = nil) throws(Fault) -> Int {
            try TrustAnchors(reading: AuthorityFiles(file, environment: environment)).count
        }
        try write([try Authority()])
        for name in ["a.pem", "b.pem"] {
            try Authority().certificate.pem.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        try "no certificate".write(toFile: "\(folder)/README", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/0a1b2c3d.0", withDestinationPath: "a.pem")
        #expect(try anchors(["SSL_CERT_DIR": "/nowhere:\(folder)"]) == 2)
        #expect(try anchors(["SSL_CERT_DIR": folder, "SSL_CERT_FILE": path]) == 3)
        #expect(try anchors(["SSL_CERT_DIR": folder], path) == 1)
        #expect(throws: Fault(.noAuthorities, detail: "cannot read /nowhere")) {
            try anchors(["SSL_CERT_DIR": folder, "SSL_CERT_FILE": "/nowhere"])
        }
        #expect(throws: Fault(.noAuthorities, detail: "no certificate in /nowhere")) {
            try anchors(["SSL_CERT_DIR": "/nowhere"])
        }
        let files = AuthorityFiles(nil, environment: ["SSL_CERT_DIR": folder])
        let first = CachedFile<TrustAnchors>(files)
        #expect(first.refreshed(after: .zero) === first)
        try FileManager.default.removeItem(atPath: "\(folder)/b.pem")
        #expect(count(first.refreshed(after: .zero)) == 1)
        #expect(AuthorityFiles(nil, environment: ["SSL_CERT_FILE": "", "SSL_CERT_DIR": ""]).isSystem)
    }

    @Test func `a failure is not cached`() throws {
        let missing = CachedFile<TrustAnchors>(AuthorityFiles(path))
        guard case .failure(let fault) = missing.result else { throw Unexpected(outcome: .timeout) }
        #expect(fault.detail == "cannot read \(path)")
        #expect(missing.refreshed() !== missing)
        try write([try Authority()])
        #expect(count(missing.refreshed()) == 1)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func `the system's CA file is read once`() {
        let file = CachedFile<TrustAnchors>(AuthorityFiles(nil))
        guard case .success = file.result else { return }
        #expect(file.refreshed(after: .zero) === file)
    }

    @Test func `reads of the same file are shared`() async throws {
        try write([try Authority()])
        let loop = NIOAsyncTestingEventLoop()
        let contexts = TLSContexts(gate: LoopGate(loop), wallTime: { 0 })
        let first = try await contexts.anchors(in: AuthorityFiles(path)).value
        #expect(count(first) == 1)
        #expect(try await contexts.anchors(in: AuthorityFiles(path)).value === first)
        #expect(try await contexts.anchors(in: AuthorityFiles(nil)).value !== first)
        try FileManager.default.removeItem(atPath: path)
        await loop.shutdownGracefully()
    }

    /// A file on a network that does not respond until the test allows it.
    private struct SilentFile: CachedContent {
        struct Name: Sendable, Hashable {
            let number: Int
            let response: DispatchSemaphore

            static func == (one: Name, other: Name) -> Bool { one.number == other.number }
            func hash(into hasher: inout Hasher) { hasher.combine(number) }
        }

        let isValid = true

        init(reading name: Name) { name.response.wait() }

        static func paths(of name: Name) -> [String] { [] }
        static func noResponse(of name: Name) -> Fault { Fault(.internal, detail: "\(name.number)") }
    }

    @Test func `files that cannot be read for long do not block Swift's pool, and are read once each`() async throws {
        let files = FileCache<SilentFile>()
        let names = (0..<min(System.coreCount, WorkerPool.maxThreads - 1)).map {
            SilentFile.Name(number: $0, response: DispatchSemaphore(value: 0))
        }
        let reads = try names.map { try files.file($0) }
        for (name, read) in zip(names, reads) { #expect(try files.file(name) == read) }
        // As many as its threads are waiting; on the pool, this task would never run.
        #expect(await Task.detached { true }.value)
        for name in names { name.response.signal() }
        for (name, read) in zip(names, reads) { #expect(try await files.file(name).value === read.value) }
    }

    @Test func `callers do not wait for long for a file that does not respond, also after a reload`() async throws {
        let files = FileCache<SilentFile>(maxWait: .zero)
        let name = SilentFile.Name(number: 7, response: DispatchSemaphore(value: 0))
        let fault = SilentFile.noResponse(of: name)
        let first = try files.file(name)
        #expect(throws: fault) { try files.file(name) }
        files.removeAll()
        let second = try files.file(name)
        #expect(second != first)
        #expect(throws: fault) { try files.file(name) }
        name.response.signal()
        _ = await first.value
        #expect(throws: fault) { try files.file(name) }
        name.response.signal()
        let read = await second.value
        #expect(try await files.file(name).value === read)
    }

    @Test func `a target uses its CA file after it is created and replaced`() async throws {
        let (root, stranger) = (try Authority(), try Authority("Stranger"))
        let server = try await WebServer.on(tls: root.certify().context())
        let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
        let options = TLSOptions(ca: path)
        harness.watch(
            [.tls(host: "good.example", port: server.port, options)],
            interval: .milliseconds(100),
            timeout: .seconds(20)
        )
        func next(_ isExpected: (Outcome) -> Bool) async {
            _ = await harness.observations { $0.last.map { isExpected($0.outcome) } ?? false }
        }
        await next { if case .fault = $0 { true } else { false } }
        try write([root])
        await next { if case .reply = $0 { true } else { false } }
        try write([stranger])
        await next {
            if case .failure(let failure) = $0 { failure.reason == .certificateUntrusted } else { false }
        }
        try write([stranger, root])
        await next { if case .reply = $0 { true } else { false } }
        await harness.engine.shutdown()
        try await server.close()
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func `a reload reads CA files again even with unchanged attributes`() async throws {
        let (root, stranger) = (try Authority(), try Authority("Stranger"))
        let server = try await WebServer.on(tls: root.certify().context())
        let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        try overwrite(with: root)
        let before = try attributes()
        harness.watch(
            [.tls(host: "good.example", port: server.port, TLSOptions(ca: path))],
            interval: .milliseconds(100),
            timeout: .seconds(20)
        )
        guard case .reply? = await harness.observations(1).first?.outcome else { throw Unexpected(outcome: .timeout) }
        try overwrite(with: stranger)
        #expect(try attributes() == before)
        harness.engine.rereadFiles()
        _ = await harness.observations {
            if case .failure(let failure)? = $0.last?.outcome { failure.reason == .certificateUntrusted } else { false }
        }
        await harness.engine.shutdown()
        try await server.close()
        try FileManager.default.removeItem(atPath: path)
    }

    /// Overwrites the file in place, with the same size and modification time.
    private func overwrite(with authority: Authority) throws {
        let text = authority.certificate.pem
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(text.padding(toLength: 4_096, withPad: "\n", startingAt: 0).utf8))
        try file.close()
        let time = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    }

    /// Returns the attributes that identify a version of the file.
    private func attributes() throws -> [FileAttributeKey: String] {
        let keys: [FileAttributeKey] = [.systemNumber, .systemFileNumber, .size, .modificationDate]
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return keys.reduce(into: [:]) { $0[$1] = attributes[$1].map { "\($0)" } }
    }
}
