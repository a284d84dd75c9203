import Reporting
import Synchronization

/// The HTTP requests that wait for the loop of ``Watch``, which owns the roster. The loop is notified of a request, and
/// answers all of one kind with one copy, however many they are.
final class ScrapeQueue: Sendable {
    /// A request, by its path.
    enum Question: String, Sendable, CaseIterable {
        case metrics = "/metrics"
        case targets = "/targets"
        case health = "/healthz"
    }

    /// The loop's answer.
    enum Answer: Sendable {
        case metrics(Exposition)
        case targets(TargetsRecord)
        /// The loop is running.
        case alive
    }

    /// Yields when a request has been added.
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let requests = Mutex(Requests())

    private struct Requests {
        var waiting: [Int: (question: Question, answer: AsyncStream<Answer>.Continuation)] = [:]
        var next = 0
    }

    init() {
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of requests that wait.
    var count: Int { requests.withLock(\.waiting.count) }

    /// Adds a request and waits for the answer; nil after the timeout, or when the task is cancelled.
    func answer(to question: Question, timeout: Duration) async -> Answer? {
        let (stream, continuation) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingNewest(1))
        let number = requests.withLock { requests in
            defer { requests.next += 1 }
            requests.waiting[requests.next] = (question, continuation)
            return requests.next
        }
        defer { requests.withLock { _ = $0.waiting.removeValue(forKey: number) } }
        arrival.yield()
        return await within(timeout) { await stream.first { _ in true } } ?? nil
    }

    /// Answers every request that waits.
    func answerAll(_ answer: (Question) -> Answer) {
        let waiting = requests.withLock { requests in
            defer { requests.waiting = [:] }
            return requests.waiting.values
        }
        for (question, requests) in Dictionary(grouping: waiting, by: \.question) {
            let answer = answer(question)
            for request in requests { request.answer.yield(answer) }
        }
    }
}
