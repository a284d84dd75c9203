import Reporting
import Synchronization

/// Where clients wait for what only the owner of the roster knows. The loop is told that somebody waits; it answers all
/// who ask the same at once, with a copy that it need not think of again.
final class Desk: Sendable {
    /// What may be asked, by its path.
    enum Question: String, Sendable, CaseIterable {
        case metrics = "/metrics"
        case targets = "/targets"
        case health = "/healthz"
    }

    /// What is answered.
    enum Answer: Sendable {
        case metrics(Exposition)
        case targets(TargetsRecord)
        /// The loop goes round.
        case alive
    }

    /// That somebody waits.
    let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private let waiting = Mutex(Waiting())

    private struct Waiting {
        var clients: [Int: (question: Question, answer: AsyncStream<Answer>.Continuation)] = [:]
        var next = 0
    }

    init() {
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How many wait.
    var waitingCount: Int { waiting.withLock(\.clients.count) }

    /// Waits for the loop's answer; nil when it does not answer in time.
    func answer(to question: Question, within limit: Duration) async -> Answer? {
        let (stream, continuation) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingNewest(1))
        let number = waiting.withLock { waiting in
            defer { waiting.next += 1 }
            waiting.clients[waiting.next] = (question, continuation)
            return waiting.next
        }
        defer { waiting.withLock { _ = $0.clients.removeValue(forKey: number) } }
        ring.yield()
        return await within(limit) { await stream.first { _ in true } } ?? nil
    }

    /// Answers everybody who waits.
    func serve(_ answer: (Question) -> Answer) {
        let clients = waiting.withLock { waiting in
            defer { waiting.clients = [:] }
            return waiting.clients.values
        }
        for (question, clients) in Dictionary(grouping: clients, by: \.question) {
            let answer = answer(question)
            for client in clients { client.answer.yield(answer) }
        }
    }
}
