import AsyncAlgorithms
import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct InputSourceTests {
    @Test func `a loop receives the inputs of all sources, in the order of each source`() async {
        let sources = [
            InputSource<Int>(AsyncStream { numbers in (1...100).forEach { numbers.yield($0) } }) { $0 },
            InputSource<Int>(AsyncStream { numbers in (1...100).forEach { numbers.yield(-$0) } }) { $0 },
        ]
        let received = await InputSource.run(sources) { channel in
            var received: [Int] = []
            for await number in channel {
                received.append(number)
                if received.count == 200 { break }
            }
            return received
        }
        #expect(received.filter { $0 > 0 } == Array(1...100))
        #expect(received.filter { $0 < 0 } == (1...100).map { -$0 })
    }

    @Test func `the sources are cancelled when the loop returns`() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let (endless, more) = AsyncStream.makeStream(of: Int.self)
        more.onTermination = { _ in end.finish() }
        more.yield(7)
        let first: Int? = await InputSource<Int>.run([InputSource(endless) { $0 }]) { channel in
            for await number in channel { return number }
            return nil
        }
        #expect(first == 7)
        for await _ in ends {}
    }

    @Test func `elements without an input are ignored, and the last input follows the end of the sequence`() async {
        let numbers = AsyncStream { numbers in
            (1...6).forEach { numbers.yield($0) }
            numbers.finish()
        }
        let source = InputSource<Int>(numbers, last: { 0 }) { $0.isMultiple(of: 2) ? $0 : nil }
        let received = await InputSource.run([source]) { channel in
            var received: [Int] = []
            for await number in channel {
                received.append(number)
                if number == 0 { break }
            }
            return received
        }
        #expect(received == [2, 4, 6, 0])
    }

    @Test func `elements that arrive while the loop is busy are one input`() async {
        let (numbers, more) = AsyncStream.makeStream(of: Int.self)
        let source = InputSource<[Int]>(batching: numbers, last: { [] }) { $0 }
        more.yield(0)
        let received = await InputSource.run([source]) { channel in
            var received: [[Int]] = []
            for await batch in channel {
                received.append(batch)
                if batch.isEmpty { break }
                if batch == [0] {
                    (1...2_000).forEach { more.yield($0) }
                    more.finish()
                }
            }
            return received
        }
        #expect(received == [[0], Array(1...2_000), []])
    }
}
