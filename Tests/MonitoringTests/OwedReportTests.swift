import TestSupport
import Testing

@testable import Monitoring

/// What a hook book holds back during a cooldown, and when it lets go of it.
@Suite struct OwedReportTests {
    private var book = HookBook()

    /// Takes a transition into account at a second; the health before it began ten seconds earlier.
    private mutating func change(to health: Health, at second: Int, _ rule: HookRule) -> [HookBook.Decision] {
        let transition = Transition(
            from: health == .down ? .up : .down,
            to: health,
            time: .seconds(second),
            lasted: .seconds(10),
            cause: .replies(1)
        )
        book.note(transition)
        return book.decide(on: transition, among: [rule])
    }

    @Test mutating func `it is reported exactly when the cooldown ends`() {
        let rule = HookRule.make(on: [.change], cooldown: .seconds(60))
        #expect(change(to: .down, at: 100, rule) == [.fire(rule, .change)])
        #expect(change(to: .up, at: 110, rule) == [.skip(rule, .coolingDown(left: .seconds(50)))])
        #expect(book.nextReport(of: .up, among: [rule]) == .seconds(160))
        #expect(book.takeReports(of: .up, at: .seconds(160) - .nanoseconds(1), among: [rule]) == [])
        #expect(book.takeReports(of: .up, at: .seconds(160), among: [rule]).map(\.event) == [.change])
        #expect(!book.isOwing)
    }

    @Test mutating func `it is forgotten when health is again what was reported`() {
        let rule = HookRule.make(on: [.change], cooldown: .seconds(60))
        _ = change(to: .down, at: 100, rule)
        _ = change(to: .up, at: 110, rule)
        _ = change(to: .down, at: 120, rule)
        #expect(book.isOwing)
        #expect(book.takeReports(of: .down, at: .seconds(121), among: [rule]) == [])
        #expect(!book.isOwing)
    }

    @Test mutating func `after flapping only what was dropped is held back`() {
        let rule = HookRule.make(on: [.down, .up], minDown: .seconds(60))
        #expect(change(to: .down, at: 100, rule) == [.fire(rule, .down)])
        let short = Transition(
            from: .down,
            to: .up,
            time: .seconds(110),
            lasted: .seconds(10),
            cause: .replies(1)
        )
        book.oweTakenBack(short)
        #expect(book.takeReports(of: .up, at: .seconds(110), among: [rule]) == [])
        #expect(!book.isOwing)
    }
}
