import AsyncAlgorithms
import Dashboard
import Monitoring
import Probing
import Screen
import TerminalIO
import UnixSignals

/// The dashboard without a terminal: it watches for a while, and what it would show then is a picture. Hooks do not run.
struct PictureSession {
    let source: TargetSource
    let engine: Engine
    let size: Size
    /// How long it watches.
    let duration: Duration
    /// What is pressed before the picture is made, as a terminal would send it.
    let keys: String

    /// Watches, and draws.
    ///
    /// - Returns: How it ended; the picture unless by a signal.
    func run(_ settings: Settings, appearance: Appearance, signals: Signals) async -> (Ending, picture: String) {
        let model = Model(
            source: source.name,
            size: size,
            glyphs: appearance.glyphs,
            forcedTheme: appearance.theme,
            background: appearance.background,
            wall: engine.time.wall
        )
        let prober = engine.prober
        var loop = DashboardLoop(model, paint: { _, _ in }) { effect in
            if case .probe(let request) = effect { prober.perform(request) }
            return nil
        }
        let ending = await loop.run(inputs(settings, signals))
        return (ending, loop.model.picture())
    }

    private func inputs(_ settings: Settings, _ signals: Signals) -> some AsyncSequence<Input, Never> & Sendable {
        let time = engine.time
        var quiet = settings
        for index in quiet.targets.indices { quiet.targets[index].hooks = [] }
        var parser = KeyParser()
        let pressed = parser.parse(keys.utf8) + parser.flush()
        let last = pressed.map { Input.event(.key($0)) } + [Input.done]
        let duration = duration
        let deadline = AsyncStream<Input> { continuation in
            Task {
                try? await Task.sleep(for: duration)
                continuation.yield(.event(.tick(time.now, time.wall)))
                last.forEach { continuation.yield($0) }
                continuation.finish()
            }
        }
        let ticks = AsyncTimerSequence(interval: .milliseconds(100), clock: .suspending)
            .map { _ in Input.event(.tick(time.now, time.wall)) }
        return chain(
            [Input.event(.settings(quiet, at: time.now))].async,
            merge(
                engine.prober.findings.map { Input.event(.findings($0, at: time.now)) },
                merge(signals.sequence.filter(\.isEnding).map { Input.end(signal: $0.rawValue) }, deadline),
                ticks
            )
        )
    }
}
