import Monitoring
import TestSupport
import Testing

struct AgendaTests {
    @Test func `items come in the order of their times, near and far`() {
        var agenda = Agenda<Int>()
        for (item, time) in [30, 0.001, 5, 2, 0.002, 1_000, 1, 1.5].enumerated() {
            agenda.add(item, at: .seconds(time))
        }
        #expect(agenda.next == .milliseconds(1))
        #expect((0..<8).compactMap { _ in agenda.take(at: .seconds(1_000)) } == [1, 4, 6, 7, 3, 2, 0, 5])
        #expect(agenda.next == nil)
    }

    @Test func `what comes later and is due earlier comes first`() {
        var agenda = Agenda<Int>()
        agenda.add(1, at: .seconds(100))
        agenda.add(2, at: .seconds(99))
        agenda.add(3, at: .zero - .seconds(1))
        #expect(agenda.take(at: .zero) == 3)
        #expect(agenda.take(at: .seconds(98)) == nil)
        #expect(agenda.next == .seconds(99))
        #expect(agenda.take(at: .seconds(200)) == 2)
        #expect(agenda.take(at: .seconds(200)) == 1)
    }

    @Test func `no time is too late`() {
        var agenda = Agenda<Int>()
        agenda.add(1, at: .seconds(Int64.max))
        agenda.add(2, at: .zero)
        agenda.add(3, at: .seconds(Int64.max / 2))
        #expect((0..<3).compactMap { _ in agenda.take(at: .seconds(Int64.max)) } == [2, 3, 1])
    }

    @Test(arguments: [1, 20, 3_000, 60_000])
    func `it does as a list in order does`(milliseconds: Int) {
        var generator = SplitMix(seed: UInt64(milliseconds))
        var agenda = Agenda<Int>()
        var model: [(time: Duration, item: Int)] = []
        var now = Duration.zero
        for item in 0..<4_000 {
            // Growing and shrinking by turns, down to nothing.
            let isGrowing = item / 300 % 2 == 0
            for _ in 0..<Int.random(in: 0...(isGrowing ? 3 : 1), using: &generator) {
                // Every time is another one: the order of equal ones is open.
                let time =
                    now + .milliseconds(Int.random(in: -1...milliseconds, using: &generator)) + .nanoseconds(item)
                guard !model.contains(where: { $0.time == time }) else { continue }
                agenda.add(item, at: time)
                model.append((time, item))
            }
            model.sort { $0.time < $1.time }
            #expect(agenda.next == model.first?.time)
            now += .microseconds(Int.random(in: 0...milliseconds * (isGrowing ? 2 : 200), using: &generator))
            if item.isMultiple(of: 7) {
                agenda.discard { $0.isMultiple(of: 3) }
                while let first = model.first, first.item.isMultiple(of: 3) { model.removeFirst() }
            }
            while let first = model.first, first.time <= now {
                #expect(agenda.take(at: now) == first.item)
                model.removeFirst()
            }
            #expect(agenda.take(at: now) == nil)
        }
    }
}
