import Fetching
import Foundation
import Monitoring
import Testing

@testable import ReachKit

/// What the end of a try means to who has fetched.
@Suite struct FetchErrorTests {
    private func error(_ outcome: FetchOutcome, allowsNothing: Bool = false) -> FetchError? {
        FetchError(outcome, allowsNothing: allowsNothing, longestBody: 7)
    }

    @Test(arguments: Reason.allCases) func `the network may pass, a verdict stays`(_ reason: Monitoring.Reason) {
        let passing: Set<Reason> = [
            .refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .ttlExceeded, .nameNotFound,
            .resolverFailed, .noRoute, .linkDown,
        ]
        let error = error(.failure(Failure(reason)))
        #expect(error?.isRetryable == passing.contains(reason))
        #expect(error?.description == reason.words)
        if reason == .protocolError {
            #expect(error == .notHTTP(reason.words))
        } else {
            #expect(error == .network(Fetch.Trouble(.failure(Failure(reason)))))
        }
    }

    @Test func `out of descriptors may pass, another fault of ours does not`() {
        #expect(error(.fault(Fault(.tooManyFiles, detail: "")))?.isRetryable == true)
        #expect(error(.fault(Fault(.noMemory, detail: "")))?.isRetryable == true)
        #expect(error(.fault(Fault(.internal, detail: "")))?.isRetryable == false)
        #expect(error(.timeout)?.isRetryable == true)
        #expect(error(.timeout)?.description == "no answer in time")
        #expect(error(.cancelled) == .cancelled)
    }

    @Test func `a good answer is no error when its body came as it was wanted`() {
        let body = Array("fine".utf8)
        #expect(error(.answer(FetchAnswer(status: 200, body: body))) == nil)
        #expect(error(.answer(FetchAnswer(status: 204))) == .emptyBody)
        #expect(error(.answer(FetchAnswer(status: 204)), allowsNothing: true) == nil)
        #expect(error(.answer(FetchAnswer(status: 200, body: body, ending: .cut))) == .tooLong(limit: 7))
        let lost = error(.answer(FetchAnswer(status: 200, body: body, ending: .lost(Failure(.reset)))))
        #expect(lost?.description == "HTTP 200, but then: connection reset")
        #expect(lost?.isRetryable == true)
    }

    @Test func `a redirect too many is not another protocol`() {
        let failure = Failure(.protocolError, detail: "redirected more than once", httpStatus: 302)
        #expect(error(.failure(failure)) == .network(Fetch.Trouble(.failure(failure))))
    }

    @Test func `an answer that says no is tried again for its status, or for what is missing of it`() {
        #expect(error(.answer(FetchAnswer(status: 503)))?.isRetryable == true)
        #expect(error(.answer(FetchAnswer(status: 500)))?.isRetryable == false)
        #expect(error(.answer(FetchAnswer(status: 500, ending: .timeout)))?.isRetryable == true)
        #expect(FetchError.inaccessible(last: .emptyBody).isRetryable == false)
    }
}
