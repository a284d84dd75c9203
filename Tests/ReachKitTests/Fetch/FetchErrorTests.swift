import Foundation
import Monitoring
import Testing

@testable import ReachKit

/// The error of a try: its kind, its text, and whether it may pass.
@Suite struct FetchErrorTests {
    private func error(_ response: Fetch.Response, allowsEmptyBody: Bool = false) -> Fetch.Error? {
        response.error(allowsEmptyBody: allowsEmptyBody, longestBody: 7)
    }

    @Test(arguments: Reason.allCases) func `the network may pass, a verdict stays`(_ reason: Monitoring.Reason) {
        let passing: Set<Reason> = [
            .refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .ttlExceeded, .nameNotFound,
            .resolverFailed, .noRoute, .linkDown,
        ]
        let error = Fetch.Error(Failure(reason))
        #expect(error.isRetryable == passing.contains(reason))
        #expect(error.description == reason.words)
        if reason == .protocolError {
            #expect(error == .notHTTP(reason.words))
        } else {
            #expect(error == .network(Failure(reason)))
        }
    }

    @Test func `out of descriptors may pass, another fault of ours does not`() {
        #expect(Fetch.Error.fault(Fault(.tooManyFiles, detail: "")).isRetryable == true)
        #expect(Fetch.Error.fault(Fault(.noMemory, detail: "")).isRetryable == true)
        #expect(Fetch.Error.fault(Fault(.internal, detail: "")).isRetryable == false)
        #expect(Fetch.Error.timeout.isRetryable == true)
        #expect(Fetch.Error.timeout.description == "no answer in time")
    }

    @Test func `a good answer is no error when its body came as it was wanted`() {
        let body = Data("fine".utf8)
        #expect(error(Fetch.Response(status: 200, body: body)) == nil)
        #expect(error(Fetch.Response(status: 204)) == .emptyBody)
        #expect(error(Fetch.Response(status: 204), allowsEmptyBody: true) == nil)
        #expect(error(Fetch.Response(status: 200, body: body, ending: .cut)) == .tooLong(limit: 7))
        let lost = error(Fetch.Response(status: 200, body: body, ending: .lost(Failure(.reset))))
        #expect(lost?.description == "HTTP 200, but then: connection reset")
        #expect(lost?.isRetryable == true)
    }

    @Test func `a redirect too many is not another protocol`() {
        let failure = Failure(.protocolError, detail: "redirected more than once", httpStatus: 302)
        #expect(Fetch.Error(failure) == .network(failure))
    }

    @Test func `an answer that says no is tried again for its status, or for what is missing of it`() {
        #expect(error(Fetch.Response(status: 503))?.isRetryable == true)
        #expect(error(Fetch.Response(status: 500))?.isRetryable == false)
        #expect(error(Fetch.Response(status: 500, ending: .timeout))?.isRetryable == true)
        #expect(Fetch.Error.inaccessible(last: .emptyBody).isRetryable == false)
    }
}
