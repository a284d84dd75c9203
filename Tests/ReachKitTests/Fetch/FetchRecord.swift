import Foundation
import ReachMonitoring
import Synchronization
import TestSupport

@testable import ReachKit

/// The record of one fetch, whose pauses take no time: the result of the last try, and the tries and pauses before it.
struct FetchRecord: Sendable {
    /// The response or the error of the last try.
    let result: Result<Fetch.Response, Fetch.Error>
    let tries: Int
    let pauses: [Duration]

    /// Fetches without waiting for the host. A good response may have no body.
    init(
        _ request: Fetch.Request,
        maximumRetries: Int = 10,
        repeatsAnyMethod: Bool = false,
        into sink: (any BodySink)? = nil,
        proxies environment: [String: String] = [:],
        clock: RecordingClock = RecordingClock()
    ) async {
        let tries = Mutex(0)
        var fetch = Fetch(
            prober: Prober(clock: clock),
            policy: Fetch.Policy(repeatsAnyMethod: repeatsAnyMethod),
            waiting: .never,
            environment: environment,
            date: { Date(timeIntervalSince1970: 1_795_219_200) }
        )
        fetch.generator = Constant.low
        do throws(Fetch.Error) {
            let onEvent = { @Sendable (event: Fetch.Event) in
                if case .sending(let number) = event { tries.withLock { $0 = number } }
            }
            let response = try await fetch.response(
                to: request,
                into: sink,
                within: nil,
                maximumRetries: maximumRetries,
                onEvent: onEvent
            )
            result = .success(response)
        } catch .retriesExhausted(let last, _) {
            result = .failure(last)
        } catch {
            result = .failure(error)
        }
        self.tries = tries.withLock { $0 }
        pauses = clock.pauses
    }

    /// `HTTP 503, tried 4 times`.
    var summary: String {
        let text =
            switch result {
            case .success(let response): response.summary
            case .failure(let error): error.description
            }
        return tries > 1 ? "\(text), tried \(tries) times" : text
    }

    /// The response of the last try, with any status.
    var response: Fetch.Response? {
        switch result {
        case .success(let response), .failure(.status(let response)), .failure(.incomplete(let response)): response
        case .failure: nil
        }
    }

    /// The error of the last try.
    var error: Fetch.Error? {
        if case .failure(let error) = result { error } else { nil }
    }
}
