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
    /// - Returns: Why it ended, and the picture.
    func run(_ settings: Settings, appearance: Appearance, signals: Signals) async -> (ExitCause, picture: String) {
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
            if case .perform(let consequences) = effect { consequences.requests.forEach(prober.perform) }
            return nil
        }
        var quiet = settings
        for index in quiet.targets.indices { quiet.targets[index].hooks = [] }
        await loop.fold(.settings(quiet, at: engine.time.now))
        let cause = await InputSource.run(sources(signals)) { await loop.run($0) }
        return (cause, loop.model.picture())
    }

    private func sources(_ signals: Signals) -> [InputSource<Event>] {
        let (time, duration) = (engine.time, duration)
        var parser = KeyParser()
        let pressed = parser.parse(keys.utf8) + parser.flush()
        let last = AsyncStream<Event> { continuation in
            let task = Task {
                try? await Task.sleep(for: duration)
                continuation.yield(.tick(time.now, time.wall))
                for key in pressed { continuation.yield(.key(key)) }
                continuation.yield(.exit(.quit))
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        return [
            InputSource(engine.prober.findings) { .findings($0, at: time.now) },
            InputSource(signals.sequence) { $0.isEnding ? .exit(.signal($0.rawValue)) : nil },
            InputSource(last) { $0 },
            InputSource(AsyncTimerSequence(interval: .milliseconds(100), clock: .suspending)) { _ in
                .tick(time.now, time.wall)
            },
        ]
    }
}
