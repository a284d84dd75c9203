import Foundation
import Logging
import ReachHooks
import ReachMonitoring
import TestSupport
import Testing
import UnixSignals

@testable import reach

/// The loop of `watch` with scripted inputs, and an engine that probes nothing.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct WatchTests {
    @Test(arguments: [false, true])
    func `a hook that waits for the end of a cooldown does not run after the request to exit`(isEnding: Bool)
        async throws
    {
        let time = ProgramTime()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let engine = Engine(time: time, redaction: SharedRedaction()) { _ in logger }
        let source = try TargetSource(arguments: ["link:any"], config: nil, environment: [:])
        let controller = EngineController(engine: engine, source: source, logger: logger)
        let output = try #require(FileHandle(forWritingAtPath: "/dev/null"))
        let reporter = WatchReporter(
            time: time,
            format: .text,
            hasObservations: false,
            isQuiet: true,
            redaction: engine.redaction,
            output: LineWriter(output.fileDescriptor),
            errors: LineWriter(output.fileDescriptor)
        )
        var watch = Watch(controller: controller, reporter: reporter)
        let rule = HookRule.make(on: [.change], "true", cooldown: .nanoseconds(1))
        await watch.start(Settings(targets: [.make("A", url: "link:any", hooks: [rule])]))
        // Up, down with a run, and up again within the cooldown.
        let findings = Outcome.picture("rrrtttrrr").enumerated().map { number, outcome in
            Finding.observation(Observation(target: Target.ID(0), sequence: number, time: .zero, outcome: outcome))
        }
        var inputs: [Watch.Input] = [.engine(.findings(findings)), .deadline, .engine(.reportsEnded)]
        if isEnding { inputs.insert(.signal(.sigterm), at: 1) }
        let script = AsyncStream { script in
            for input in inputs { script.yield(input) }
            script.finish()
        }
        #expect(await watch.run(script) == (isEnding ? 143 : 0))
        if !isEnding { await controller.end() }
        var runs: Set<HookRun.ID> = []
        for await report in engine.hooks.reports { runs.insert(report.run.id) }
        #expect(runs.count == (isEnding ? 1 : 2))
        await controller.stop()
        await engine.shutdown()
        withExtendedLifetime(output) {}
    }
}
