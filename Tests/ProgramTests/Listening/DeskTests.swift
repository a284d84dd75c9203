import Testing

@testable import reach

@Suite(.timeLimit(.minutes(1))) struct DeskTests {
    @Test func `all who ask the same have one answer, made once`() async {
        let desk = Desk()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { await desk.answer(to: .health, within: .seconds(30)) != nil }
            }
            var (answered, made) = (0, 0)
            for await _ in desk.bell {
                let waiting = desk.waitingCount
                desk.serve { _ in
                    made += 1
                    return .alive
                }
                for _ in 0..<waiting where await group.next() == true { answered += 1 }
                guard answered < 20 else { break }
            }
            #expect(answered == 20)
            #expect(made <= 20)
        }
    }

    @Test func `who waits in vain goes, and leaves nothing behind`() async {
        let desk = Desk()
        #expect(await desk.answer(to: .health, within: .milliseconds(1)) == nil)
        #expect(desk.waitingCount == 0)
        desk.serve { _ in
            Issue.record("nobody waits")
            return .alive
        }
    }
}
