public import ReachMonitoring
import ReachSystem
import Synchronization

/// Lookups for paths, on threads that may block: the address of a host, and the names of routers.
public final class HostNames: Sendable {
    /// Why a host has no address.
    public struct LookupError: Error, Sendable, Hashable {
        /// The failure of the lookup, or the fault of this machine.
        public let outcome: Outcome
    }

    /// The maximum number of names that are kept.
    private static let maxNames = 4_096

    /// The names by address: nil while the lookup runs, and empty if there is none.
    private let names = Mutex<[String: String?]>([:])
    /// A pool of its own: a dead name server must not hold the threads that read files.
    private let pool = WorkerPool()

    /// Creates an empty cache.
    public init() {}

    /// Returns the numeric address of a host, the first one of the system's order.
    ///
    /// - Throws: ``LookupError``.
    public static func address(of host: String, family: Family) async throws(LookupError) -> String {
        let query = NameQuery(host, family: family)
        var resolution = Resolution(literal: query)
        if resolution == nil { resolution = await WorkerPool.shared.run { Resolution.system(query) } }
        switch resolution {
        case .addresses(let addresses): return "\(addresses[0])"
        case nil: throw LookupError(outcome: .fault(Fault(.noMemory, detail: "too many name lookups")))
        case .failure(let failure): throw LookupError(outcome: .failure(failure))
        case .fault(let fault): throw LookupError(outcome: .fault(fault))
        }
    }

    /// Returns the name of an address (RFC 1035 §3.5); nil if it has none, or until it is looked up.
    public func name(of address: String) -> String? {
        let known = names.withLock { names -> String?? in
            if let known = names[address] { return .some(known) }
            guard names.count < Self.maxNames else { return .some(nil) }
            names[address] = .some(nil)
            return nil
        }
        if let known { return known.flatMap { $0.isEmpty ? nil : $0 } }
        let isStarted = pool.start { [self] in
            let name = Self.lookUp(address) ?? ""
            names.withLock { $0[address] = name }
        }
        if !isStarted { names.withLock { _ = $0.removeValue(forKey: address) } }
        return nil
    }

    /// Waits until the lookups have ended, or for a limited time.
    public func settle(within limit: Duration) async {
        let clock = ContinuousClock()
        let end = clock.now + limit
        while isPending, clock.now < end {
            do { try await clock.sleep(for: Self.pollInterval) } catch { return }
        }
    }

    private static let pollInterval = Duration.milliseconds(20)

    private var isPending: Bool { names.withLock { $0.values.contains { $0 == nil } } }

    private static func lookUp(_ text: String) -> String? {
        guard let address = IPAddress(literal: text) else { return nil }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = address.withSocketAddress {
            getnameinfo($0, $1, &name, socklen_t(name.count), nil, 0, NI_NAMEREQD)
        }
        guard code == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
