import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct HTTPRequestQueueTests {
    @Test func `all requests for one endpoint share an answer, and one beyond the capacity has none`() async {
        let queue = HTTPRequestQueue(capacity: 20)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<21 {
                group.addTask { await queue.answer(to: .health, timeout: .seconds(30)) != nil }
            }
            // The others wait now.
            #expect(await group.next() == false)
            var made = 0
            queue.answerAll { _ in
                made += 1
                return .alive
            }
            #expect(made == 1)
            for await isAnswered in group { #expect(isAnswered) }
        }
    }

    @Test func `a request that times out is removed`() async {
        let queue = HTTPRequestQueue()
        #expect(await queue.answer(to: .health, timeout: .milliseconds(1)) == nil)
        expectEmpty(queue)
    }

    @Test func `a request that is cancelled is removed`() async throws {
        let queue = HTTPRequestQueue()
        let request = Task { await queue.answer(to: .metrics, timeout: .seconds(30)) }
        for await _ in queue.arrivals { break }
        request.cancel()
        #expect(await request.value == nil)
        expectEmpty(queue)
    }

    @Test func `requests for a reload wait until they are removed`() async throws {
        let queue = HTTPRequestQueue()
        let request = Task { await queue.answer(to: .reload, timeout: .seconds(30)) }
        for await _ in queue.arrivals { break }
        queue.answerAll { _ in .alive }
        #expect(queue.remove(.metrics).isEmpty)
        for waiting in queue.remove(.reload) { waiting.yield(.reloaded(problems: ["a"])) }
        guard case .reloaded(let problems)? = await request.value else {
            Issue.record("no answer")
            return
        }
        #expect(problems == ["a"])
        expectEmpty(queue)
    }

    private func expectEmpty(_ queue: HTTPRequestQueue) {
        queue.answerAll { _ in
            Issue.record("nothing waits")
            return .alive
        }
    }
}
