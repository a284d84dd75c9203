import AsyncAlgorithms
import Testing

@testable import reach

@Suite(.timeLimit(.minutes(1))) struct InflowTests {
    @Test func `a loop takes what all its sources give, each in its order`() async {
        let sources = [
            Inflow(AsyncStream { numbers in (1...100).forEach { numbers.yield($0) } }) { $0 },
            Inflow(AsyncStream { numbers in (1...100).forEach { numbers.yield(-$0) } }) { $0 },
        ]
        let taken = await Inflow.run(sources) { channel in
            var taken: [Int] = []
            for await number in channel {
                taken.append(number)
                if taken.count == 200 { break }
            }
            return taken
        }
        #expect(taken.filter { $0 > 0 } == Array(1...100))
        #expect(taken.filter { $0 < 0 } == (1...100).map { -$0 })
    }

    @Test func `when the loop ends, nobody listens to its sources any more`() async {
        let (gone, leave) = AsyncStream.makeStream(of: Void.self)
        let (endless, more) = AsyncStream.makeStream(of: Int.self)
        more.onTermination = { _ in leave.finish() }
        more.yield(7)
        let first: Int? = await Inflow<Int>.run([Inflow(endless) { $0 }]) { channel in
            for await number in channel { return number }
            return nil
        }
        #expect(first == 7)
        for await _ in gone {}
    }
}
