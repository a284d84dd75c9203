import Dashboard
import Monitoring
import Screen
import TestSupport
import Testing

@testable import reach

/// The loop with scripted inputs, a terminal in memory and no clock.
@Suite struct DashboardLoopTests {
    /// The frames, effects and result of a run of the loop.
    struct Record {
        var frames: [String] = []
        var wholeFrames = 0
        var effects: [Effect] = []
        var tickRequests = 0
        var cause: ExitCause
    }

    private func run(_ inputs: [Event], columns: Int = 100, rows: Int = 16) async -> Record {
        var frames: [String] = []
        var wholeFrames = 0
        var effects: [Effect] = []
        var tickRequests = 0
        let model = Model(
            source: "test",
            size: Size(columns: columns, rows: rows),
            glyphs: .unicode,
            wall: WallTime(start: .zero)
        )
        var loop = DashboardLoop(model) { frame, isWhole in
            frames.append(frame.text)
            wholeFrames += isWhole ? 1 : 0
        } requestTick: {
            tickRequests += 1
        } perform: { effect in
            effects.append(effect)
            return effect == .suspend ? .resumed : nil
        }
        let stream = AsyncStream { continuation in
            inputs.forEach { continuation.yield($0) }
            continuation.finish()
        }
        let cause = await loop.run(stream)
        return Record(
            frames: frames,
            wholeFrames: wholeFrames,
            effects: effects,
            tickRequests: tickRequests,
            cause: cause
        )
    }

    private let settings = Event.settings(
        Settings(targets: [.make("A", hooks: [.make(on: [.down], "first"), .make(on: [.up], "second")])]),
        at: .zero
    )

    private func tick(_ milliseconds: Int) -> Event {
        .tick(.milliseconds(milliseconds), WallTime(start: .zero))
    }

    private func findings(_ letters: String, at milliseconds: Int) -> Event {
        let findings = Outcome.picture(letters).enumerated().map { index, outcome in
            Finding.observation(
                Observation(target: Target.ID(0), sequence: index, time: .milliseconds(milliseconds), outcome: outcome)
            )
        }
        return .findings(findings, at: .milliseconds(milliseconds))
    }

    @Test func `the first frame is painted before the first event`() async {
        let record = await run([])
        #expect(record.frames.count == 1)
        #expect(record.cause == .quit)
    }

    @Test func `many findings between two ticks are one frame`() async {
        let inputs = [settings] + (1...50).map { findings("r", at: $0) } + [tick(100)]
        let record = await run(inputs)
        #expect(record.frames.count == 3, "the start, the settings, the tick")
        #expect(record.frames.last?.contains("● 1 up") == true)
    }

    @Test func `events between two ticks request one tick, another reply requests none`() async {
        let first = await run([settings, findings("r", at: 10), findings("t", at: 20)])
        #expect(first.tickRequests == 1, "both events share a tick")
        let second = await run([settings, findings("r", at: 10), tick(100), findings("rr", at: 110), tick(200)])
        #expect(second.tickRequests == 1)
        #expect(second.frames.count == 3, "the start, the settings, the first tick")
        let third = await run([settings, findings("r", at: 10), tick(100), findings("r", at: 110), tick(1_000)])
        #expect(third.frames.count == 4, "the regular tick updates the ages")
    }

    @Test func `each reply that counts towards up requests a tick, and so does one that ends a streak of losses`() async
    {
        let settings = Event.settings(Settings(targets: [.make("A", rise: 3)]), at: .zero)
        let down = [settings, findings("r ttt", at: 10), tick(100)]
        let recovering = await run(down + [findings("r", at: 110), tick(200), findings("r", at: 210), tick(300)])
        #expect(recovering.tickRequests == 3)
        #expect(recovering.frames.dropLast().last?.contains("down 1/3") == true)
        #expect(recovering.frames.last?.contains("down 2/3") == true)
        let pending = [settings, findings("rrrr t", at: 10), tick(100)]
        #expect(await run(pending + [findings("r", at: 110)]).tickRequests == 2)
    }

    @Test func `ticks without a change paint nothing`() async {
        let record = await run([settings, tick(100), tick(200), tick(300), tick(900)])
        #expect(record.frames.count == 2, "the start and the settings")
    }

    @Test func `a key paints at once`() async {
        let record = await run([settings, .key(.character("?"))])
        #expect(record.frames.last?.contains("pause or resume all targets") == true)
    }

    @Test func `a batch of findings has one effect, with transitions and hook runs in order`() async {
        let record = await run([settings, findings("r ttt r", at: 50)])
        let consequences = record.effects.compactMap {
            if case .perform(let consequences) = $0 { consequences } else { nil }
        }
        let changes = consequences.map { each in
            each.events.compactMap { if case .transition(_, let transition) = $0 { transition.to } else { nil } }
        }
        #expect(changes == [[], [.up, .down, .up]], "the settings, then one value for the batch of findings")
        #expect(consequences.last?.runs.map { "\($0.rule.action)" } == ["first", "second"])
    }

    @Test func `q ends the loop, and later events are ignored`() async {
        let record = await run([settings, .key(.character("q")), .key(.control("r"))])
        #expect(record.cause == .quit)
        #expect(!record.effects.contains(.reload))
    }

    @Test func `a signal ends the loop with its status`() async {
        let record = await run([settings, .exit(.signal(15)), .key(.control("r"))])
        #expect(record.cause == .signal(15))
        #expect(record.cause.status == 143)
        #expect(!record.effects.contains(.reload))
    }

    @Test func `resuming after a suspension repaints every cell`() async {
        let record = await run([settings, .key(.control("z"))])
        #expect(record.effects.contains(.suspend))
        #expect(record.wholeFrames == 1)
    }

    @Test func `a reload requested by a signal is performed`() async {
        let record = await run([settings, .reload])
        #expect(record.effects.last == .reload)
    }
}
