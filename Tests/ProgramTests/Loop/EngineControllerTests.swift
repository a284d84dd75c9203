import Foundation
import Logging
import ReachDashboard
import ReachHistory
import ReachMonitoring
import TestSupport
import Testing

@testable import reach

/// The controller without a loop: settings in a folder, and an engine that probes nothing.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct EngineControllerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)").path
    private var config: String { "\(folder)/dashboard.toml" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String = "dashboard.toml") throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
    }

    private func makeController() throws -> EngineController {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let engine = Engine(time: ProgramTime(), redaction: SharedRedaction()) { _ in logger }
        let source = try TargetSource(config: config, environment: [:], mayLack: [.targets])
        return EngineController(engine: engine, source: source, logger: logger)
    }

    private func close(_ controller: EngineController) async throws {
        await controller.stop()
        await controller.engine.shutdown()
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a reload while one is in progress follows it`() async throws {
        try write("# none\n")
        let controller = try makeController()
        #expect(
            controller.begin(.reread(nil)) && !controller.begin(.reread(nil)) && controller.waitingReload == .always
        )
        await controller.waitForAnswer(timeout: .seconds(30))
        guard case .success(.reread(nil, let settings)) = await controller.finishRequest() else {
            Issue.record("not read")
            return
        }
        #expect(settings.targets.isEmpty)
        #expect(
            await controller.finishRequest() == nil && controller.begin(.reread(nil)) && controller.waitingReload == nil
        )
        try await close(controller)
    }

    @Test func `a reload that the user requests follows other requests, and reads anything`() async throws {
        try write("# none\n")
        let controller = try makeController()
        let document = SettingsDocument(file: config, text: "# none\n")
        #expect(controller.begin(.write(document)))
        #expect(
            !controller.begin(.rereadIfChanged(document, wasRefused: false)) && controller.waitingReload == .ifChanged
        )
        #expect(!controller.begin(.reread(document)) && controller.waitingReload == .always)
        #expect(!controller.begin(.rereadIfChanged(document, wasRefused: false)) && controller.waitingReload == .always)
        await controller.waitForAnswer(timeout: .seconds(30))
        #expect(await controller.finishRequest() != nil)
        guard case .reload? = controller.engine.event(of: .reload(.always)),
            case .fileChanged? = controller.engine.event(of: .reload(.ifChanged))
        else {
            Issue.record("not reloaded")
            return
        }
        try await close(controller)
    }

    @Test func `an emptied file does not end the probing`() async throws {
        try write("[[target]]\nurl = \"link:any\"\n")
        let controller = try makeController()
        await controller.use(try controller.source.settings())
        try write(" \n")
        #expect(controller.begin(.reread(nil)))
        await controller.waitForAnswer(timeout: .seconds(30))
        #expect(await controller.finishRequest() == .failure(StartupError(lines: ["\(config): the file is empty"])))
        try await close(controller)
    }

    @Test func `after the request to exit, nothing is read and nothing that was read is used`() async throws {
        try write("[[source]]\nfile = \"list.json\"\n")
        try write(#"[{"targets": ["127.0.0.1:9"]}]"#, to: "list.json")
        let controller = try makeController()
        await controller.use(try controller.source.settings())
        #expect(controller.begin(.reread(nil)))
        await controller.waitForAnswer(timeout: .seconds(30))
        await controller.end()
        #expect(await controller.finishRequest() == nil && controller.sourceUpdates().isEmpty)
        #expect(controller.begin(.reread(nil)))
        #expect(await controller.finishRequest() == nil)
        try await close(controller)
    }
}
