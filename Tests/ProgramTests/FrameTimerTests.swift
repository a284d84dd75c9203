import Testing

@testable import reach

@Suite(.timeLimit(.minutes(1)))
struct FrameTimerTests {
    @Test func `an earlier request replaces a later one, and a later one none`() async {
        let time = ProgramTime()
        let timer = FrameTimer(time: time, on: LoopExecutor())
        var ticks = timer.ticks.makeAsyncIterator()
        for _ in 0..<3 {
            timer.schedule(at: time.now + .seconds(3_600))
            timer.schedule(at: time.now)
            timer.schedule(at: time.now + .seconds(3_600))
            #expect(await ticks.next() != nil)
        }
    }
}
