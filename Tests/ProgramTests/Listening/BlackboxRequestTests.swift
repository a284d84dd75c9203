import NIOHTTP1
import ReachMonitoring
import Testing

@testable import reach

struct BlackboxRequestTests {
    private static let modules: [String: BlackboxModule] = {
        var http = BlackboxHTTPModule()
        http.headers = [HTTPOptions.Header(name: "Host", value: "a.example")]
        let modules = [
            BlackboxModule("http_2xx", .http(BlackboxHTTPModule()), timeout: .seconds(5)),
            BlackboxModule("host", .http(http)),
            BlackboxModule("icmp", .icmp(.blackboxDefault)),
        ]
        return Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0) })
    }()

    private func request(_ query: String, timeout: String? = nil) throws(BlackboxRequest.Rejection) -> BlackboxRequest {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/probe\(query)")
        if let timeout { head.headers.add(name: "X-Prometheus-Scrape-Timeout-Seconds", value: timeout) }
        return try BlackboxRequest(head, modules: Self.modules)
    }

    @Test func `the parameters are decoded, and the first of a name counts`() throws {
        let all = try request(
            "?target=http%3A%2F%2Fa.example%2F%3Fx%3D1%2B2+3&module=icmp&debug=true&target=b&hostname=c"
        )
        #expect(all.target == "http://a.example/?x=1+2 3" && all.module.name == "icmp" && all.isDebug)
        #expect(all.hostname == "c")
        let few = try request("?target=a")
        #expect(few.module.name == "http_2xx" && !few.isDebug && few.hostname == nil)
        let repaired = try request("?target=%zz&target=a&module=%ff&module=icmp&%ff=b")
        #expect(repaired.target == "a" && repaired.module.name == "icmp")
    }

    @Test(
        arguments: [
            (nil, 5.0), ("10", 5.0), ("3", 2.5), ("5.2", 4.7), ("0", 5.0), ("0.2", 5.0), ("", 5.0), ("1e9", 5.0),
            ("Inf", 5.0), ("NaN", 5.0), ("-Inf", 5.0), ("3 ", 2.5), ("3 \t", 2.5),
        ] as [(String?, Double)]
    )
    func `the timeout is that of the module, or half a second less than that of the scrape`(
        field: String?,
        seconds: Double
    )
        throws
    {
        #expect(try request("?target=a", timeout: field).timeout == .milliseconds(Int(seconds * 1_000)))
    }

    @Test func `a module without a timeout has that of the scrape`() throws {
        #expect(try request("?target=a&module=icmp").timeout == .milliseconds(119_500))
        #expect(try request("?target=a&module=icmp", timeout: "10").timeout == .milliseconds(9_500))
        #expect(try request("?target=a&module=icmp", timeout: "0.1").timeout == .milliseconds(1))
    }

    @Test(
        arguments: [
            ("", nil, .badRequest, "Target parameter is missing"),
            ("?target=", nil, .badRequest, "Target parameter is missing"),
            ("?target=%ff%fe", nil, .badRequest, "Target parameter is not UTF-8, or has an invalid escape"),
            ("?target=%4", nil, .badRequest, "Target parameter is not UTF-8, or has an invalid escape"),
            ("?target=a&module=icmp%ff", nil, .badRequest, "Module parameter is not UTF-8"),
            ("?target=a&hostname=%zz", nil, .badRequest, "Hostname parameter is not UTF-8"),
            ("?target=a&hostname=a+b", nil, .badRequest, "Blank or control character in the hostname"),
            ("?target=a&module=no%22ne", nil, .badRequest, "Unknown module \"no\"ne\""),
            ("?target=a%0Ab", nil, .badRequest, "Control character in the target"),
            ("?target=a", "soon", .internalServerError, "Failed to parse timeout from Prometheus header: \"soon\""),
            ("?target=a&module=host&hostname=b", nil, .badRequest, "host header defined both"),
        ] as [(String, String?, HTTPResponseStatus, String)]
    )
    func `invalid requests are refused with the words of the blackbox exporter`(
        query: String,
        timeout: String?,
        status: HTTPResponseStatus,
        text: String
    ) {
        let rejection = #expect(throws: BlackboxRequest.Rejection.self) { try request(query, timeout: timeout) }
        #expect(rejection?.status == status && rejection?.text.hasPrefix(text) == true, "\(rejection?.text ?? "")")
    }

    @Test func `the path does not exist before there are modules, and stays without them`() async {
        let endpoint = ProbeEndpoint(limit: 2)
        let router = HTTPRouter(requests: HTTPRequestQueue(), probes: endpoint)
        func response(_ method: HTTPMethod) async -> HTTPServerResponse {
            await router.response(to: HTTPRequestHead(version: .http1_1, method: method, uri: "/probe"))
        }
        #expect(await response(.GET).status == .notFound)
        endpoint.setModules(Array(Self.modules.values))
        #expect(await response(.GET).status == .badRequest)
        let refused = await response(.HEAD)
        #expect(refused.status == .methodNotAllowed && refused.headers["Allow"] == ["GET"])
        endpoint.setModules([])
        #expect(await response(.GET).status == .badRequest)
    }
}
