import Foundation
import Monitoring
import Testing

@testable import ReachKit

/// The error of a try: its kind, its description, and whether it is retryable.
@Suite struct FetchErrorTests {
    private func error(_ response: Fetch.Response, requiresBody: Bool = true) -> Fetch.Error? {
        response.error(requiresBody: requiresBody, maximumBodySize: 7)
    }

    @Test(arguments: Reason.allCases) func `errors of the network are transient, verdicts are not`(
        _ reason: Monitoring.Reason
    ) {
        let passing: Set<Reason> = [
            .refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .ttlExceeded, .nameNotFound,
            .resolverFailed, .serverError, .noRoute, .linkDown,
        ]
        let error = Fetch.Error(Failure(reason))
        #expect(error.isRetryable == passing.contains(reason))
        #expect(error.description == reason.words)
        if reason == .protocolError {
            #expect(error == .notHTTP(reason.words))
        } else {
            #expect(error == .network(Fetch.TransportError(reason)))
        }
    }

    @Test func `out of descriptors is transient, other faults are not`() {
        #expect(Fetch.Error.fault(Fault(.tooManyFiles, detail: "")).isRetryable == true)
        #expect(Fetch.Error.fault(Fault(.noMemory, detail: "")).isRetryable == true)
        #expect(Fetch.Error.fault(Fault(.internal, detail: "")).isRetryable == false)
        #expect(Fetch.Error.timeout.isRetryable == true)
        #expect(Fetch.Error.timeout.description == "timeout")
    }

    @Test func `a good response with the required body is not an error`() {
        let body = Data("fine".utf8)
        #expect(error(Fetch.Response(status: 200, body: body)) == nil)
        let created = Fetch.Response(status: 201, headers: [.location: "/jobs/7"])
        #expect(error(created) == .emptyBody(created))
        #expect(error(created, requiresBody: false) == nil)
        #expect(error(Fetch.Response(status: 204)) == nil)
        #expect(error(Fetch.Response(status: 205)) == nil)
        #expect(error(Fetch.Response(status: 304)) == .status(Fetch.Response(status: 304)))
        #expect(error(Fetch.Response(status: 200, body: body, ending: .truncated)) == .tooLong(limit: 7))
        let lost = error(Fetch.Response(status: 200, body: body, ending: .lost(Fetch.TransportError(.reset))))
        #expect(lost?.description == "HTTP 200, but then: reset")
        #expect(lost?.isRetryable == true)
    }

    @Test func `too many redirects are not a protocol error`() {
        let failure = Failure(.protocolError, detail: "redirected more than once", httpStatus: 302)
        #expect(Fetch.Error(failure) == .network(Fetch.TransportError(failure)))
    }

    @Test func `a bad response is retryable by its status, or if it is incomplete`() {
        #expect(error(Fetch.Response(status: 503))?.isRetryable == true)
        #expect(error(Fetch.Response(status: 501))?.isRetryable == false)
        #expect(error(Fetch.Response(status: 501, ending: .timeout))?.isRetryable == true)
        #expect(Fetch.Error.retriesExhausted(last: .emptyBody(Fetch.Response(status: 200))).isRetryable == false)
    }
}
