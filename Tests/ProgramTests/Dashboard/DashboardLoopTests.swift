import Dispatch
import ReachDashboard
import ReachMonitoring
import ReachScreen
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
        /// The times of the scheduled ticks in milliseconds, one after each event.
        var ticks: [Int] = []
        var cause: ExitCause
    }

    private func run(_ inputs: [Event], columns: Int = 100, rows: Int = 16) async -> Record {
        var frames: [String] = []
        var wholeFrames = 0
        var effects: [Effect] = []
        var ticks: [Int] = []
        let model = Model(
            source: "test",
            size: Size(columns: columns, rows: rows),
            glyphs: .unicode,
            wall: WallTime(start: .zero)
        )
        var loop = DashboardLoop(model) { frame, isWhole in
            frames.append(frame.text)
            wholeFrames += isWhole ? 1 : 0
        } scheduleTick: { due in
            ticks.append(Int(due / .milliseconds(1)))
        } perform: { effect in
            effects.append(effect)
            return effect == .suspend ? Event.Kind.resumed : nil
        }
        let stream = AsyncStream { continuation in
            inputs.forEach { continuation.yield($0) }
            continuation.finish()
        }
        let cause = await loop.run(stream) { [$0] }
        return Record(
            frames: frames,
            wholeFrames: wholeFrames,
            effects: effects,
            ticks: ticks,
            cause: cause
        )
    }

    private let settings = Event(
        .settings(Settings(targets: [.make("A", hooks: [.make(on: [.down], "first"), .make(on: [.up], "second")])])),
        at: .zero
    )

    private func keys(_ keys: [Key]) -> Event { Event(.keys(keys), at: .zero) }

    private func key(_ key: Key) -> Event { keys([key]) }

    private func tick(_ milliseconds: Int) -> Event {
        Event(.tick(WallTime(start: .zero)), at: .milliseconds(milliseconds))
    }

    private func findings(_ letters: String, at milliseconds: Int) -> Event {
        let findings = Outcome.picture(letters).enumerated().map { index, outcome in
            Finding.observation(
                Observation(target: Target.ID(0), sequence: index, time: .milliseconds(milliseconds), outcome: outcome)
            )
        }
        return Event(.findings(findings), at: .milliseconds(milliseconds))
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

    @Test func `a reply is painted with the next frame, at most ten a second`() async {
        let first = await run([settings, findings("r", at: 10), findings("r", at: 20)])
        #expect(first.ticks == [1_000, 100, 100], "both replies share a frame")
        let up = [settings, findings("rrr", at: 10), tick(100)]
        let second = await run(up + [findings("s", at: 130), tick(150), tick(200)])
        #expect(second.ticks.suffix(3) == [200, 200, 1_000])
        #expect(second.frames.count == 4, "the start, the settings and two frames; none at 150 ms")
        #expect(second.frames[2] != second.frames[3], "the row shows the reply")
    }

    @Test func `a reply is painted at once if the last frame is old enough`() async {
        let up = [settings, findings("rrr", at: 10), tick(100)]
        let replies = [findings("s", at: 230), findings("r", at: 240), findings("s", at: 329)]
        let record = await run(up + replies + [tick(330)])
        #expect(record.ticks.suffix(4) == [1_000, 330, 330, 1_000])
        #expect(record.frames.count == 5, "the start, the settings, the change to up, the first reply, the others")
    }

    @Test func `without replies, ticks follow the seconds of the wall clock`() async {
        let record = await run([settings, Event(.tick(WallTime(start: .milliseconds(250))), at: .milliseconds(900))])
        #expect(record.ticks.last == 1_750)
        #expect(record.frames.count == 3, "the clock shows the next second")
    }

    private let eco = Event(.settings(Settings(targets: [.make("A", rise: 3)], refresh: .eco)), at: .zero)

    @Test func `with refresh = "eco", a further reply waits for two seconds, a change of health does not`() async {
        let up = [eco, findings("rrrr", at: 10), tick(100)]
        let record = await run(up + [findings("r", at: 130), tick(200)])
        #expect(record.frames.count == 3, "the start, the settings and the change to up")
        #expect(record.ticks.last == 2_000)
        let regular = await run(up + [findings("r", at: 130), tick(2_000)])
        #expect(regular.frames.count == 4)
        #expect(await run(up + [findings("t", at: 130)]).ticks.last == 200)
    }

    @Test func `with refresh = "eco", a reply that counts towards up or ends a streak is painted`() async {
        let down = [eco, findings("r ttt", at: 10), tick(100)]
        let recovering = await run(down + [findings("r", at: 110), tick(200), findings("r", at: 210), tick(300)])
        #expect(recovering.ticks.suffix(4) == [200, 2_000, 300, 2_000])
        #expect(recovering.frames.dropLast().last?.contains("down 1/3") == true)
        #expect(recovering.frames.last?.contains("down 2/3") == true)
        let pending = [eco, findings("rrrr t", at: 10), tick(100)]
        #expect(await run(pending + [findings("r", at: 110)]).ticks.last == 200)
    }

    @Test func `ticks without a change paint nothing`() async {
        let record = await run([settings, tick(100), tick(200), tick(300), tick(900)])
        #expect(record.frames.count == 2, "the start and the settings")
    }

    @Test func `a key paints at once`() async {
        let record = await run([settings, key(.character("?"))])
        #expect(record.frames.last?.contains("pause or resume all targets; asks first") == true)
    }

    @Test func `a batch of findings has one effect, with transitions and hook runs in order`() async {
        let record = await run([settings, findings("r ttt r", at: 50)])
        let consequences = record.effects.compactMap {
            if case .perform(let consequences) = $0 { consequences } else { nil }
        }
        let changes = consequences.map { each in
            each.events.compactMap { if case .transition(let transition) = $0.kind { transition.to } else { nil } }
        }
        #expect(changes == [[], [.up, .down, .up]], "the settings, then one value for the batch of findings")
        #expect(consequences.last?.runs.map { "\($0.rule.action)" } == ["first", "second"])
    }

    @Test func `q ends the loop, and later events are ignored`() async {
        let record = await run([settings, key(.character("q")), key(.control("r"))])
        #expect(record.cause == .quit)
        #expect(!record.effects.contains(.edit(.reread(nil))))
    }

    @Test func `a signal ends the loop with its status`() async {
        let record = await run([settings, Event(.exit(.signal(15)), at: .zero), key(.control("r"))])
        #expect(record.cause == .signal(15))
        #expect(record.cause.status == 143)
        #expect(!record.effects.contains(.edit(.reread(nil))))
    }

    @Test func `resuming after a suspension repaints every cell`() async {
        let record = await run([settings, key(.control("z"))])
        #expect(record.effects.contains(.suspend))
        #expect(record.wholeFrames == 1)
    }

    @Test func `a reload requested by a signal is performed`() async {
        let record = await run([settings, Event(.reload, at: .zero)])
        #expect(record.effects.last == .edit(.reread(nil)))
    }

    @Test func `keys that arrive together are one frame, with the effects of each in order`() async {
        let once = await run([settings, keys(Array(repeating: .character("?"), count: 2_001))])
        #expect(once.frames.count == 3, "the start, the settings, the keys")
        #expect(once.frames.last?.contains("pause or resume all targets; asks first") == true)
        let pressed: [Key] = [.character("r"), .character(" "), .character("e"), .control("r"), .character("?")]
        let (together, single) = (await run([settings, keys(pressed)]), await run([settings] + pressed.map(key)))
        #expect(together.effects == single.effects)
        #expect(together.frames.last == single.frames.last && together.frames.count == 3)
    }

    @Test func `keys after the one that closes a prompt go to the view`() async {
        let command = [Key.character("x")] + "date".map { .character($0) } + [.enter]
        let record = await run([settings, keys(command + [.character("e"), .character("?"), .escape])])
        #expect(record.frames.last?.contains("hook date is armed") == true)
        let first = await run([settings, keys([.character("/"), .character("A"), .enter, .character("q")])])
        #expect(first.cause == .quit && first.frames.count == 2)
    }
}

@Suite struct FrameTimerTests {
    @Test(.timeLimit(.minutes(1))) func `ticks at the earliest time that was requested`() async {
        let time = ProgramTime()
        let timer = FrameTimer(time: time, queue: .loop())
        var ticks = timer.ticks.makeAsyncIterator()
        let due = time.now + .milliseconds(2)
        timer.schedule(at: .seconds(600))
        timer.schedule(at: due)
        timer.schedule(at: .seconds(500))
        await ticks.next()
        #expect(time.now >= due)
        // The later requests were for the tick before.
        timer.schedule(at: time.now)
        await ticks.next()
        #expect(time.now < .seconds(500))
    }
}
