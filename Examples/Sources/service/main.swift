// Follow a host as a service of swift-service-lifecycle.
//
//     service NAME|ADDRESS|URL
//
// Logs each change of reachability until it gets SIGTERM or SIGINT, and then ends with status 0.
import Logging
import ReachKit
import ServiceLifecycle

/// Logs the changes of a host. Its probes and sockets end with it.
struct ReachabilityService: Service {
    let host: Reachability
    let logger: Logger

    func run() async throws {
        for await status in host.changes.cancelOnGracefulShutdown() {
            logger.info("\(host.subject): \(status)")
        }
    }
}

let logger = Logger(label: "service")
let host = Reachability(of: CommandLine.arguments.dropFirst().first ?? "example.com")
let group = ServiceGroup(
    services: [ReachabilityService(host: host, logger: logger)],
    gracefulShutdownSignals: [.sigterm, .sigint],
    logger: logger
)
try await group.run()
