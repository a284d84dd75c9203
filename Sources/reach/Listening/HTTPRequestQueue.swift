import ReachReporting
import ReachSystem
import Synchronization

/// The queue of HTTP requests that wait for the loop of ``Watch``, which owns the roster. The loop is notified of new
/// requests, and answers all requests for one endpoint with the same copy.
final class HTTPRequestQueue: Sendable {
    /// The endpoint of a request, by its path.
    enum Endpoint: String, Sendable, CaseIterable {
        case metrics = "/metrics"
        case targets = "/targets"
        case health = "/healthz"
        /// The health by the path of the blackbox exporter.
        case healthy = "/-/healthy"
        /// A reload of the settings.
        case reload = "/-/reload"

        /// Whether the path exists only with that of ``ProbeEndpoint``, as those of the blackbox exporter do.
        var needsModules: Bool { self == .healthy || self == .reload }
    }

    /// The answer of the loop.
    enum Answer: Sendable {
        case metrics(Exposition)
        case targets(TargetsRecord)
        /// The loop is running.
        case alive
        /// The settings were read again. They were refused if there are problems.
        case reloaded(problems: [String])
    }

    /// Yields after a request has been added.
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let requests = Mutex(Requests())
    private let capacity: Int

    private struct Requests {
        var waiting: [Int: (endpoint: Endpoint, answer: AsyncStream<Answer>.Continuation)] = [:]
        var next = 0
    }

    /// - Parameter capacity: The maximum number of waiting requests; more are answered with 503.
    init(capacity: Int = HTTPListener.connectionLimit) {
        self.capacity = capacity
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a request and waits for the answer; returns nil if the queue is full, after the timeout, or when the task is
    /// cancelled.
    func answer(to endpoint: Endpoint, timeout: Duration) async -> Answer? {
        let (stream, continuation) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = requests.withLock { requests in
            guard requests.waiting.count < capacity else { return nil }
            defer { requests.next += 1 }
            requests.waiting[requests.next] = (endpoint, continuation)
            return requests.next
        }
        guard let number else { return nil }
        defer { requests.withLock { _ = $0.waiting.removeValue(forKey: number) } }
        arrival.yield()
        return await withTimeout(timeout) { await stream.first { _ in true } } ?? nil
    }

    /// Removes the waiting requests for an endpoint, and returns their continuations.
    func remove(_ endpoint: Endpoint) -> [AsyncStream<Answer>.Continuation] {
        requests.withLock { requests in
            let found = requests.waiting.filter { $0.value.endpoint == endpoint }
            for number in found.keys { requests.waiting[number] = nil }
            return found.values.map(\.answer)
        }
    }

    /// Answers all waiting requests, except those for a reload; `answer` is called once for each endpoint.
    func answerAll(_ answer: (Endpoint) -> Answer) {
        let waiting = requests.withLock { requests in
            let found = requests.waiting.filter { $0.value.endpoint != .reload }
            for number in found.keys { requests.waiting[number] = nil }
            return found.values
        }
        for (endpoint, requests) in Dictionary(grouping: waiting, by: \.endpoint) {
            let answer = answer(endpoint)
            for request in requests { request.answer.yield(answer) }
        }
    }
}
