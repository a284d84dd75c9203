import Monitoring
import Testing

@testable import Probing

struct SilentTargetsTests {
    private let one = IPAddress(ipv4: 0xC000_0201)
    private let other = IPAddress(ipv4: 0xC000_0202)

    @Test func `a host that is heard has its silent targets probed, and no others`() {
        var silent = SilentTargets()
        silent.add(Target.ID(2), at: one)
        silent.add(Target.ID(1), at: one)
        silent.add(Target.ID(3), at: other)
        #expect(silent.due(at: one, .zero) == [Target.ID(1), Target.ID(2)])
        #expect(silent.due(at: IPAddress(ipv4: 0xC000_0203), .zero) == [])
        #expect(silent.due(at: other, .zero) == [Target.ID(3)])
    }

    @Test func `a host that is heard all the time has each target probed once a second`() {
        var silent = SilentTargets()
        silent.add(Target.ID(1), at: one)
        let times = (0..<3_000).filter { !silent.due(at: one, .milliseconds($0)).isEmpty }
        #expect(times == [0, 1_000, 2_000])
        silent.add(Target.ID(1), at: one)
        #expect(silent.due(at: one, .milliseconds(2_999)) == [], "another loss is no reason to forget that")
    }

    @Test func `a target that answers is silent no longer, and one that moves is at its new address`() {
        var silent = SilentTargets()
        silent.add(Target.ID(1), at: one)
        silent.add(Target.ID(1), at: other)
        #expect(silent.due(at: one, .zero) == [])
        #expect(silent.due(at: other, .zero) == [Target.ID(1)])
        silent.remove(Target.ID(1))
        #expect(silent.isEmpty)
        #expect(silent.due(at: other, .seconds(5)) == [])
    }

    @Test func `when routes change, no more than a thousand are probed at once`() {
        var silent = SilentTargets()
        silent.add(Target.ID(7), at: one)
        #expect(silent.due(.zero) == [Target.ID(7)])
        #expect(silent.due(.milliseconds(20)) == [])
        for id in 0..<3_000 { silent.add(Target.ID(id), at: other) }
        #expect(silent.due(.seconds(5)).count == 1_000)
    }
}
