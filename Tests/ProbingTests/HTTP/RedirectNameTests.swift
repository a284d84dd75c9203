import Monitoring
import Synchronization
import TestSupport
import Testing

@testable import Probing

/// Lookups of the names in redirects.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct RedirectNameTests {
    @Test func `forty targets that redirect to forty names all reply`() async throws {
        let last = try await WebServer.on()
        let port = last.port
        let first = try await WebServer.on { request in
            let number = request.split(separator: "/").dropFirst().first?.prefix { $0.isNumber } ?? ""
            return .send(WebServer.answer("302 Found", headers: "Location: http://n\(number).test:\(port)/\r\n"))
        }
        let lookups = Mutex<[String: Int]>([:])
        let harness = EngineHarness(resolve: { host in
            lookups.withLock { $0[host, default: 0] += 1 }
            // The latency of a remote resolver.
            Hang().wait(milliseconds: 20)
            return Resolution.system("127.0.0.1")
        })
        let options = HTTPOptions(follow: 1)
        let questions = (0..<40).map { number in
            Question.http(
                HTTPQuestion(
                    isSecure: false,
                    host: "127.0.0.1",
                    port: first.port,
                    path: "/\(number)",
                    options: options
                )
            )
        }
        harness.watch(questions, interval: .milliseconds(1_500), timeout: .milliseconds(1_500))
        // All at once, as after the process was stopped.
        harness.engine.perform(.now(questions.indices.map { Target.ID($0) }))
        let observations = await harness.observations { Set($0.map(\.target)).count == 40 }
        for observation in observations {
            guard case .reply = observation.outcome else {
                Issue.record("\(observation)")
                continue
            }
        }
        #expect(lookups.withLock { $0.count } == 40)
        await harness.engine.shutdown()
        try await first.close()
        try await last.close()
    }
}
