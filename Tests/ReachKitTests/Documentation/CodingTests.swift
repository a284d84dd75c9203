import Foundation
import ReachKit
import Testing

/// The JSON of every value of the interface that is `Codable`: its names, and that nothing is lost.
@Suite struct CodingTests {
    private static let failure = Failure(.httpStatus, detail: "HTTP 503", httpStatus: 503)
    private static let fault = Fault(.permission, detail: "no permission", cures: ["become root"])
    private static let problem = URLProblem("the host is missing", hint: "such as example.com")
    private static let reply = Reply(
        roundTrip: .milliseconds(3),
        phases: [.init(.connect, .milliseconds(2))],
        detail: "ok",
        concern: "soon",
        certificateExpiry: 1_900_000_000,
        httpStatus: 200
    )
    private static let outcomes: [Outcome] = [
        .timeout, .reply(reply), .reply(Reply(roundTrip: nil)), .failure(failure), .fault(fault),
    ]
    private static let causes: [Reachability.Cause] = [
        .timeout, .failure(failure), .fault(fault), .invalidSubject(problem),
    ]
    private static let statuses: [Reachability.Status] =
        [.unknown] + Reachability.Link.allCases.map { .reachable(via: $0) } + causes.map { .unreachable($0) }
    private static let transitionCauses: [Monitor.Transition.Cause] = [
        .replies(2), .losses(3, nil), .losses(3, failure), .faults(3, fault), .concern("the certificate expires"),
        .slow(roundTrip: .milliseconds(700), limit: .milliseconds(500)), .lossy(loss: 0.5, limit: 0.25),
    ]

    /// Encodes and decodes values, and returns the JSON of each.
    private func expectCoding<Value: Codable & Equatable>(_ values: [Value]) throws -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try values.map { value in
            let data = try encoder.encode(value)
            #expect(try JSONDecoder().decode(Value.self, from: data) == value)
            try expectNames(in: JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// Expects that every key is a name of the interface.
    private func expectNames(in json: Any) {
        if let object = json as? [String: Any] {
            for (key, value) in object {
                #expect(key.first?.isLetter == true, "\(key)")
                #expect(!["rawValue", "boxedDetails", "expirySeconds"].contains(key) && !key.hasSuffix("Nanoseconds"))
                expectNames(in: value)
            }
        } else if let array = json as? [Any] {
            for value in array { expectNames(in: value) }
        }
    }

    @Test func `statuses, causes and states have chosen names`() throws {
        let statuses = try expectCoding(Self.statuses)
        #expect(statuses[0] == #"{"unknown":{}}"#)
        #expect(statuses[1] == #"{"reachable":{"via":"wired"}}"#)
        #expect(statuses.contains(#"{"unreachable":{"timeout":{}}}"#))
        let refused = try expectCoding([Reachability.Status.unreachable(.failure(Failure(.refused)))])
        #expect(refused == [#"{"unreachable":{"failure":{"detail":"refused","reason":"refused"}}}"#])
        _ = try expectCoding(Self.causes)
        let errors = try expectCoding(Self.statuses.map { Reachability.WaitError.expired($0) } + [.cancelled])
        #expect(errors[0] == #"{"expired":{"unknown":{}}}"#)
        let states: [Session.State] = [
            .setup, .preparing, .waiting(Self.failure), .ready(address: "192.0.2.1"), .failed(.fault(Self.fault)),
            .cancelled,
        ]
        #expect(try expectCoding(states)[3] == #"{"ready":{"address":"192.0.2.1"}}"#)
    }

    @Test func `outcomes, observations and transitions have chosen names`() throws {
        let outcomes = try expectCoding(Self.outcomes)
        #expect(outcomes[0] == #"{"timeout":{}}"#)
        #expect(outcomes[2] == #"{"reply":{}}"#)
        #expect(outcomes[3] == #"{"failure":{"detail":"HTTP 503","httpStatus":503,"reason":"http_status"}}"#)
        let observations = Self.outcomes.map {
            Monitor.Observation(
                target: .init(7),
                sequence: 1,
                sent: .seconds(1),
                time: .seconds(2),
                outcome: $0,
                address: "192.0.2.1"
            )
        }
        #expect(try expectCoding(observations)[0].contains(#""target":7"#))
        let transitions = Self.transitionCauses.map {
            Monitor.Transition(from: .up, to: .down, time: .seconds(9), lasted: .seconds(5), cause: $0)
        }
        #expect(try expectCoding(transitions)[1].contains(#""cause":{"losses":{"count":3}}"#))
        _ = try expectCoding([Failure.awaitingResolver(of: "nas.local")])
        _ = try expectCoding([Thresholds(slow: .milliseconds(500), lossy: 0.1)])
        _ = try expectCoding(Reason.allCases)
        _ = try expectCoding(Health.allCases)
        _ = try expectCoding(Fault.Problem.allCases)
        _ = try expectCoding(Reply.Phase.allCases)
    }

    @Test func `paths and fetches have chosen names`() throws {
        let path = NetworkPath(
            isExpensive: true,
            supportsIPv4: true,
            interfaces: [NetworkPath.Interface(name: "eth0", link: .wired)]
        )
        #expect(
            try expectCoding([path, NetworkPath()])
                == [
                    #"{"interfaces":[{"link":"wired","name":"eth0"}],"isExpensive":true,"supportsIPv4":true}"#,
                    #"{"interfaces":[]}"#,
                ]
        )
        let error = #"{"detail":"refused","reason":"refused"}"#
        let ending = try JSONDecoder().decode(
            Fetch.Response.BodyEnding.self,
            from: Data(#"{"lost":\#(error)}"#.utf8)
        )
        #expect(try expectCoding([ending, .whole, .truncated, .timeout])[0] == #"{"lost":\#(error)}"#)
        _ = try expectCoding([
            Fetch.Waiting.never, .betweenTries(atMost: .seconds(3)), .beforeEachTry(atMost: nil),
            .beforeEachTry(atMost: .seconds(3)),
        ])
    }

    @Test(arguments: ["{}", #"{"timeout":{},"fault":{}}"#, #"{"typo":{}}"#])
    func `anything but one case is an error that lists the cases`(_ json: String) throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Reachability.Cause.self, from: Data(json.utf8))
        }
        let context = try #require(error?.context)
        #expect(context.debugDescription == "one key is expected, of timeout, failure, fault, invalidSubject")
    }
}

extension DecodingError {
    fileprivate var context: Context? {
        if case .dataCorrupted(let context) = self { context } else { nil }
    }
}
