import Foundation
import Logging
import ReachDashboard
import ReachHistory
import ReachMonitoring
import TestSupport
import Testing

@testable import reach

/// The session without a loop: settings in a folder, and an engine that probes nothing.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct EngineSessionTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)").path
    private var config: String { "\(folder)/dashboard.toml" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String = "dashboard.toml") throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
    }

    private func makeSession() throws -> EngineSession {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let engine = Engine(time: ProgramTime(), redaction: SharedRedaction()) { _ in logger }
        let source = try TargetSource(config: config, environment: [:], mayLack: [.targets])
        return EngineSession(engine: engine, source: source, logger: logger)
    }

    private func close(_ session: EngineSession) async throws {
        await session.stop()
        await session.engine.shutdown()
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a reload while one is in progress follows it`() async throws {
        try write("# none\n")
        let session = try makeSession()
        #expect(session.begin(.reread(nil)) && !session.begin(.reread(nil)) && session.waitingReload == .always)
        await session.waitForAnswer(timeout: .seconds(30))
        guard case .success(.reread(nil, let settings)) = await session.finishRequest() else {
            Issue.record("not read")
            return
        }
        #expect(settings.targets.isEmpty)
        #expect(await session.finishRequest() == nil && session.begin(.reread(nil)) && session.waitingReload == nil)
        try await close(session)
    }

    @Test func `a reload that the user requests follows other requests, and reads anything`() async throws {
        try write("# none\n")
        let session = try makeSession()
        let document = SettingsDocument(file: config, text: "# none\n")
        #expect(session.begin(.write(document)))
        #expect(!session.begin(.rereadIfChanged(document, wasRefused: false)) && session.waitingReload == .ifChanged)
        #expect(!session.begin(.reread(document)) && session.waitingReload == .always)
        #expect(!session.begin(.rereadIfChanged(document, wasRefused: false)) && session.waitingReload == .always)
        await session.waitForAnswer(timeout: .seconds(30))
        #expect(await session.finishRequest() != nil)
        guard case .reload? = session.engine.event(of: .reload(.always)),
            case .fileChanged? = session.engine.event(of: .reload(.ifChanged))
        else {
            Issue.record("not reloaded")
            return
        }
        try await close(session)
    }

    @Test func `an emptied file does not end the probing`() async throws {
        try write("[[target]]\nurl = \"link:any\"\n")
        let session = try makeSession()
        await session.use(try session.source.settings())
        try write(" \n")
        #expect(session.begin(.reread(nil)))
        await session.waitForAnswer(timeout: .seconds(30))
        #expect(await session.finishRequest() == .failure(StartupError(lines: ["\(config): the file is empty"])))
        try await close(session)
    }

    @Test func `after the request to exit, nothing is read and nothing that was read is used`() async throws {
        try write("[[source]]\nfile = \"list.json\"\n")
        try write(#"[{"targets": ["127.0.0.1:9"]}]"#, to: "list.json")
        let session = try makeSession()
        await session.use(try session.source.settings())
        #expect(session.begin(.reread(nil)))
        await session.waitForAnswer(timeout: .seconds(30))
        await session.end()
        #expect(await session.finishRequest() == nil && session.sourceUpdates().isEmpty)
        #expect(session.begin(.reread(nil)))
        #expect(await session.finishRequest() == nil)
        try await close(session)
    }
}
