import Dispatch
import Testing

@testable import reach

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
