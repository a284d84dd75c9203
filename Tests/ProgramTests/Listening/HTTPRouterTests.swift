import NIOCore
import NIOHTTP1
import ReachMonitoring
import Testing

@testable import reach

@Suite struct HTTPRouterTests {
    private let router = HTTPRouter(requests: HTTPRequestQueue(), timeout: .milliseconds(1))

    private func response(_ method: HTTPMethod, _ path: String) async -> HTTPServerResponse {
        await router.response(to: HTTPRequestHead(version: .http1_1, method: method, uri: path))
    }

    @Test(arguments: ["/metrics", "/targets", "/healthz"])
    func `without a running loop, the status is 503`(_ path: String) async {
        #expect(await response(.GET, path).status == .serviceUnavailable)
    }

    @Test func `unknown paths and other methods are refused without the loop`() async {
        for path in ["/", "/metric", "/metrics/x"] {
            #expect(await response(.GET, path).status == .notFound)
        }
        let refused = await response(.PUT, "/metrics")
        #expect(refused.status == .methodNotAllowed && refused.headers["Allow"] == ["GET, HEAD"])
    }

    @Test func `the paths of the blackbox exporter exist with modules, and a reload needs POST or PUT`() async {
        #expect(await response(.POST, "/-/reload").status == .notFound)
        #expect(await response(.GET, "/-/healthy").status == .notFound)
        let probes = ProbeEndpoint(limit: 1)
        probes.setModules([BlackboxModule("icmp", .icmp(.blackboxDefault))])
        let router = HTTPRouter(requests: HTTPRequestQueue(), probes: probes, timeout: .milliseconds(1))
        for (method, path, status) in [
            (.GET, "/-/healthy", .serviceUnavailable), (.POST, "/-/healthy", .methodNotAllowed),
            (.POST, "/-/reload", .serviceUnavailable), (.PUT, "/-/reload", .serviceUnavailable),
            (.GET, "/-/reload", .methodNotAllowed), (.HEAD, "/-/reload", .methodNotAllowed),
        ] as [(HTTPMethod, String, HTTPResponseStatus)] {
            let response = await router.response(to: HTTPRequestHead(version: .http1_1, method: method, uri: path))
            #expect(response.status == status, "\(method) \(path)")
        }
    }

    @Test func `the paths of the blackbox exporter stay without modules, and exist with an empty file`() async {
        let (emptied, empty) = (ProbeEndpoint(limit: 1), ProbeEndpoint(limit: 1, hasFile: true))
        emptied.setModules([BlackboxModule("icmp", .icmp(.blackboxDefault))])
        emptied.setModules([])
        for probes in [emptied, empty] {
            let router = HTTPRouter(requests: HTTPRequestQueue(), probes: probes, timeout: .milliseconds(1))
            for (method, path, status) in [
                (.GET, "/-/healthy", .serviceUnavailable), (.POST, "/-/reload", .serviceUnavailable),
                (.GET, "/probe?module=icmp&target=a", .badRequest),
            ] as [(HTTPMethod, String, HTTPResponseStatus)] {
                let response = await router.response(to: HTTPRequestHead(version: .http1_1, method: method, uri: path))
                #expect(response.status == status, "\(method) \(path)")
            }
        }
    }

    @Test func `a reload is for programs of this machine`() throws {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/-/reload", headers: ["Host": "127.0.0.1"])
        let (here, there) = (
            try SocketAddress(ipAddress: "127.0.0.1", port: 1), try SocketAddress(ipAddress: "192.0.2.1", port: 1)
        )
        #expect(throws: Never.self) { try head.validate(isLoopback: true, from: here) }
        #expect(throws: RequestError.forbidden) { try head.validate(isLoopback: false, from: there) }
        #expect(throws: RequestError.forbidden) { try head.validate(isLoopback: true, from: nil) }
        head.headers.replaceOrAdd(name: "Host", value: "a.example")
        #expect(throws: RequestError.misdirected) { try head.validate(isLoopback: true, from: here) }
        head.headers.replaceOrAdd(name: "Host", value: "127.0.0.1")
        head.headers.add(name: "Origin", value: "https://a.example")
        #expect(throws: RequestError.forbidden) { try head.validate(isLoopback: true, from: here) }
    }
}
