import Foundation
import Monitoring
import Testing

@testable import ReachKit

/// The values of a fetch as JSON.
@Suite struct FetchCodingTests {
    private func coded<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test(
        arguments: [
            .whole, .truncated, .timeout, .lost(Fetch.TransportError(.reset)),
            .lost(Fetch.TransportError(.nameNotFound, detail: "the name nowhere.invalid was not found")),
        ] as [Fetch.Response.BodyEnding]
    )
    func `a response is the same after coding`(_ ending: Fetch.Response.BodyEnding) throws {
        let response = Fetch.Response(
            status: 503,
            headers: [.contentType: "text/plain", .retryAfter: "7"],
            body: Data("later".utf8),
            ending: ending,
            retryAfter: .seconds(7)
        )
        #expect(try coded(response) == response)
    }

    @Test(arguments: [.never, .betweenTries(atMost: .seconds(7)), .beforeEachTry(atMost: nil)] as [Fetch.Waiting])
    func `when a fetch waits is the same after coding`(_ waiting: Fetch.Waiting) throws {
        #expect(try coded(waiting) == waiting)
    }

    @Test func `an unknown reason cannot be decoded`() throws {
        let error = Fetch.TransportError(.protocolError, detail: "redirected more than once", httpStatus: 302)
        #expect(try coded(error) == error)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Fetch.TransportError.self, from: Data(#"{"reason": "boredom"}"#.utf8))
        }
    }
}
