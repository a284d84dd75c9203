#if canImport(Glibc)
import ReachFleet
import TestSupport
import Testing

struct FleetReaderTests {
    @Test func `a program without servers keeps nothing of what it reports`() async {
        await #expect(processExitsWith: .success) {
            let reader = FleetReader(send: { _, _ in .failure(.incomplete) }, now: { .zero }, wall: { 0 })
            let growth = Heap.growth {
                for number in 1...100 {
                    reader.read([], besides: ["the name of a target that is probed here \(number)"])
                    reader.show(["the name of a visible target \(number)"], groups: [])
                    reader.requestPast(of: "the name of a target with a history \(number)")
                }
            }
            // The names of one reload in ten would be 64,000 bytes.
            try #require(growth < 20_000, "\(growth) bytes")
        }
    }
}
#endif
