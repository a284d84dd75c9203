import Monitoring
import NIOHTTP1
import Probing
import Reporting
import Synchronization

/// Answers `GET /probe` like Prometheus's blackbox exporter: probes the target of the request by a module of the settings.
final class ProbeEndpoint: Sendable {
    /// The path of the endpoint.
    static let path = "/probe"
    /// The content type of metrics.
    private static let contentType = MetricsFormat.text.contentType

    private let prober: ModuleProber
    private let table: Mutex<ModuleTable>

    /// The modules by name, and whether the path exists.
    private struct ModuleTable {
        var modules: [String: ProbeModule] = [:]
        var isEnabled: Bool
    }

    /// - Parameters:
    ///   - limit: The maximum number of probes in flight.
    ///   - hasFile: Whether there is a file for modules, even if it has none.
    init(limit: Int, hasFile: Bool = false) {
        prober = ModuleProber(limit: limit)
        table = Mutex(ModuleTable(isEnabled: hasFile))
    }

    /// Whether the path exists: there have been modules, or there is a file for them. The path stays when all modules are
    /// removed, and so does the one for a reload.
    var isEnabled: Bool { table.withLock(\.isEnabled) }

    /// Replaces the modules. Probes in flight keep theirs.
    func setModules(_ modules: [ProbeModule]) {
        let named = Dictionary(modules.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        table.withLock { table in
            table.modules = named
            if !named.isEmpty { table.isEnabled = true }
        }
    }

    /// Probes the target of a request, and returns the metrics: with status 200, whether the probe succeeds or fails.
    func response(to request: HTTPRequestHead) async -> HTTPResponse {
        let probe: ModuleRequest
        do throws(ModuleRequest.Rejection) {
            probe = try ModuleRequest(request, modules: table.withLock(\.modules))
        } catch {
            return HTTPResponse(error.status, text: error.text + "\n")
        }
        let report = await prober.report(
            on: probe.target,
            by: probe.module,
            hostname: probe.hostname,
            timeout: probe.timeout,
            hasLog: probe.isDebug
        )
        guard let report else {
            return HTTPResponse(.serviceUnavailable, text: "\(prober.limit) probes are in progress, try again later\n")
        }
        guard probe.isDebug else {
            var response = HTTPResponse(type: Self.contentType, text: ModuleExposition(report).text)
            // Prometheus requests the probes of thousands of targets one after the other.
            response.keepsConnection = true
            return response
        }
        return HTTPResponse(text: ModuleDebugText(report, of: probe.target, by: probe.module).text)
    }
}
