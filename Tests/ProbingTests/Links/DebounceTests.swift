import Testing

@testable import Probing

struct DebounceTests {
    /// The times at which a notification passes, with one every millisecond.
    private func times(_ debounce: Debounce, milliseconds: Int) -> [Duration] {
        var debounce = debounce
        return (0..<milliseconds).map { .milliseconds($0) }.filter { time in
            debounce.notify(at: time)
            return debounce.fire(at: time)
        }
    }

    @Test func `the first notification passes at once, later ones with growing pauses`() {
        let debounce = Debounce(pause: .milliseconds(20) ... .milliseconds(100))
        let expected: [Duration] = [0, 20, 60, 140, 240, 340].map { .milliseconds($0) }
        #expect(times(debounce, milliseconds: 400) == expected)
    }

    @Test func `after a quiet time a notification passes at once again`() {
        var debounce = Debounce(pause: .milliseconds(20) ... .milliseconds(100))
        for time in [Duration.zero, .milliseconds(20), .milliseconds(60), .seconds(1)] {
            debounce.notify(at: time)
            #expect(debounce.due == time)
            _ = debounce.fire(at: time)
        }
        debounce.notify(at: .milliseconds(1_001))
        #expect(debounce.due == .milliseconds(1_020))
    }

    @Test func `a delay collects notifications, and the last is not lost`() {
        var debounce = Debounce(delay: .milliseconds(50), pause: .seconds(1) ... .seconds(1))
        debounce.notify(at: .zero)
        debounce.notify(at: .milliseconds(49))
        let passed = [49, 50, 50].map { debounce.fire(at: .milliseconds($0)) }
        #expect(passed == [false, true, false])
        debounce.notify(at: .milliseconds(60))
        #expect(debounce.due == .milliseconds(1_050))
    }
}
