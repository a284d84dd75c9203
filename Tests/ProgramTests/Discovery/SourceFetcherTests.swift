import Dispatch
import Foundation
import ReachKit
import ReachMonitoring
import TestSupport
import Testing

@testable import reach

/// Lists of targets by HTTP, and of files on a file system that does not answer.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct SourceFetcherTests {
    private static let json = #"[{"targets": ["a:1", "b:2"]}]"#

    private func fetch(
        _ server: ScriptedServer,
        isPrometheus: Bool = false,
        headers: [HTTPOptions.Header] = [],
        timeout: Duration = .seconds(20),
        redaction: SharedRedaction = SharedRedaction()
    ) async -> Result<[String], DiscoveryProblem> {
        let request = DiscoveryRequest(url: isPrometheus ? "http://127.0.0.1:\(server.port)/prom/" : server.url)
        var source = DiscoverySource(
            isPrometheus ? .prometheus(request) : .http(request),
            refresh: .milliseconds(90_500),
            timeout: timeout
        ) { _ throws(DiscoveryProblem) in [] }
        source.headers = { () throws(DiscoveryProblem) in headers }
        let result = await SourceFetcher(redaction: redaction).fetch(source).map { $0.list.targets.map(\.address) }
        try? await server.stop()
        return result
    }

    private func answer(_ body: String, type: String = "application/json") -> ScriptedServer.Action {
        .say(.answer("200 OK", "Content-Type: \(type)", body: body))
    }

    @Test func `the request has the headers of Prometheus and the credentials`() async throws {
        let server = try await ScriptedServer.on(answer(Self.json))
        let header = HTTPOptions.Header(name: "Authorization", value: "Bearer x")
        #expect(await fetch(server, headers: [header]) == .success(["a:1", "b:2"]))
        let request = server.requests.first?.lowercased() ?? ""
        #expect(request.hasPrefix("get /hook http/1.1\r\n"))
        #expect(request.contains("\r\nx-prometheus-refresh-interval-seconds: 90.500\r\n"))
        #expect(request.contains("\r\naccept: application/json\r\n"))
        #expect(request.contains("\r\nauthorization: bearer x\r\n"))
    }

    @Test(arguments: ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=\"UTF-8\""])
    func `the content type must be JSON`(type: String) async throws {
        #expect(try await fetch(ScriptedServer.on(answer(Self.json, type: type))) == .success(["a:1", "b:2"]))
    }

    @Test(arguments: [
        ("text/html", "content type \"text/html\" – the server must answer with application/json in UTF-8"),
        ("application/json; charset=latin1", "content type \"application/json; charset=latin1\" – the server must"),
    ])
    func `another content type is a problem`(type: String, problem: String) async throws {
        let result = try await fetch(ScriptedServer.on(answer(Self.json, type: type)))
        #expect(result.problem.hasPrefix(problem), "\(result)")
    }

    @Test func `a file system that does not answer is a problem of the list until it answers`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lists-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(Self.json.utf8).write(to: URL(filePath: "\(folder)/list.json"))
        let source = DiscoverySource(
            .files(pattern: "list.json", directory: "\(folder)/"),
            refresh: .milliseconds(100),
            timeout: .milliseconds(50)
        ) { _ throws(DiscoveryProblem) in [] }
        // A call that blocks, as one on a server that is gone.
        let (files, gate) = (BlockingQueue("test"), DispatchSemaphore(value: 0))
        let (starts, start) = AsyncStream<Void>.makeStream()
        let blocked = Task {
            await files.run {
                start.yield()
                gate.wait()
            }
        }
        _ = await starts.first { _ in true }
        let refresher = SourceRefresher(SourceLists(), fetcher: SourceFetcher(files: files), now: { .zero })
        refresher.use([source])
        var arrivals = refresher.arrivals.makeAsyncIterator()
        await arrivals.next()
        let report = try #require(refresher.removeReports().first)
        #expect(report.problem?.contains("the file system did not answer within 50ms") == true, "\(report)")
        gate.signal()
        await blocked.value
        await arrivals.next()
        let later = try #require(refresher.removeReports().first)
        #expect(later.change.hasNewList)
        #expect(later.problem == nil)
        await refresher.stop()
    }

    @Test func `a secret that the server returns is hidden, also where the text was cut`() async throws {
        let secret = "tok-" + String(repeating: "abcdefgh", count: 20)
        let header = HTTPOptions.Header(name: "Authorization", value: "Bearer \(secret)")
        let redaction = SharedRedaction()
        let typed = try await ScriptedServer.on(answer("[]", type: "application/json; x=\(secret)"))
        let problem = await fetch(typed, headers: [header], redaction: redaction).problem
        #expect(problem.hasPrefix("content type \"application/json; x=(hidden)\""), "\(problem)")
        let body = #"{"status": "error", "errorType": "bad_data", "error": "got Bearer \#(secret)"}"#
        let words = try await ScriptedServer.on(.say(.answer("422 Unprocessable", body: body)))
        #expect(await fetch(words, isPrometheus: true, headers: [header]).problem == "HTTP 422: got (hidden)")
        #expect(redaction.current.text("later: \(secret)") == "later: (hidden)")
    }

    @Test func `a compressed list is a problem with its cause`() async throws {
        let head = "Content-Type: application/json\r\nContent-Encoding: gzip"
        let server = try await ScriptedServer.on(.say(.answer("200 OK", head, body: "\u{1F}x")))
        #expect(await fetch(server).problem.hasPrefix("Content-Encoding gzip is not accepted"))
    }

    @Test func `an error, a cut body and a closed port are problems`() async throws {
        let unavailable = try await ScriptedServer.on(.say(.answer("503 Service Unavailable", body: "<html>")))
        #expect(await fetch(unavailable).problem == "HTTP 503")
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n[{"
        #expect(try await fetch(ScriptedServer.on(.breakOff(after: head))).problem.contains("after 2 bytes"))
        let silent = try await fetch(ScriptedServer.on(.hold("")), timeout: .milliseconds(300))
        #expect(silent.problem == "timeout")
        let html = try await fetch(ScriptedServer.on(answer("<html>")))
        #expect(html.problem == "line 1: not JSON: unexpected '<'")
    }

    @Test func `Prometheus is asked for its active targets, and its own words are the problem`() async throws {
        let body =
            #"{"status": "success", "data": {"activeTargets": [{"discoveredLabels": {"__address__": "n:9100"}}]}}"#
        let server = try await ScriptedServer.on(answer(body))
        #expect(await fetch(server, isPrometheus: true) == .success(["n:9100"]))
        #expect(server.requests.first?.hasPrefix("GET /prom/api/v1/targets?state=active HTTP/1.1\r\n") == true)
        let error = #"{"status": "error", "errorType": "unavailable", "error": "TSDB not ready"}"#
        let failing = try await ScriptedServer.on(.say(.answer("503 Service Unavailable", body: error)))
        #expect(await fetch(failing, isPrometheus: true).problem == "HTTP 503: TSDB not ready")
    }
}

extension Result where Failure == DiscoveryProblem {
    fileprivate var problem: String {
        if case .failure(let problem) = self { problem.description } else { "" }
    }
}
