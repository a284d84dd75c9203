import Dispatch
import Foundation
package import ReachMonitoring
import Synchronization

/// Reads the history for the screen, on a thread of its own: no caller waits for the disk.
///
/// Of each kind of request, only the newest waits. The file is opened for each request, so that one that was replaced
/// is found.
package final class HistoryReader: Sendable {
    private struct Queue {
        var requests: [HistoryRequest] = []
        var isClosed = false
    }

    /// The answers, for one consumer.
    package let answers: AsyncStream<HistoryAnswer>
    /// The path of the file.
    package let path: String
    private let queue = Mutex(Queue())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - redaction: returns what removes secrets at present.
    package init(path: String, time: HistoryWriter.Time, redaction: @escaping @Sendable () -> Redaction) {
        let answer: AsyncStream<HistoryAnswer>.Continuation
        self.path = path
        (answers, answer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
        let thread = Thread { [self] in
            while let request = next() {
                answer.yield(Self.read(request, path: path, time: time, redaction: redaction()))
            }
            answer.finish()
        }
        thread.name = "reach.history.read"
        thread.start()
    }

    /// Reads for a request, and waits for the disk.
    package static func read(
        _ request: HistoryRequest,
        path: String,
        time: HistoryWriter.Time,
        redaction: Redaction
    ) -> HistoryAnswer {
        do throws(HistoryFailure) {
            let database = try HistoryDatabase(path: path, for: .read)
            let start = time.start()
            return try database.answer(request, startingAt: start, at: start + time.now(), redaction: redaction)
        } catch {
            return .unreadable(error.description)
        }
    }

    /// The oldest request that waits; nil after ``close()``.
    private func next() -> HistoryRequest? {
        while true {
            let (request, isClosed) = queue.withLock { queue in
                (queue.requests.isEmpty ? nil : queue.requests.removeFirst(), queue.isClosed)
            }
            guard !isClosed else { return nil }
            if let request { return request }
            wakeUp.wait()
        }
    }

    /// Reads for a request; the answer follows in ``answers``. An older request of the same kind that waits is dropped.
    package func read(_ request: HistoryRequest) {
        queue.withLock { queue in
            queue.requests.removeAll { $0.isOfSameKind(as: request) }
            queue.requests.append(request)
        }
        wakeUp.signal()
    }

    /// Ends the thread after the present request.
    package func close() {
        queue.withLock { $0.isClosed = true }
        wakeUp.signal()
    }
}

extension HistoryRequest {
    fileprivate func isOfSameKind(as other: HistoryRequest) -> Bool {
        switch (self, other) {
        case (.pasts, .pasts), (.figures, .figures), (.availability, .availability),
            (.hookRuns, .hookRuns), (.moment, .moment), (.chart, .chart):
            true
        default: false
        }
    }
}
