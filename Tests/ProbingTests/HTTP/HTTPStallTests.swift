import Monitoring
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Probing

/// A process that was stopped discards its probes when it next reads the clock. A discarded probe sends no further
/// request.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct HTTPStallTests {
    /// A prober whose clock discards its probes at one reading after an event. Confined to its event loop.
    private final class StalledProber {
        private let isArmed: @Sendable () -> Bool
        private var remaining: Int
        private(set) var ended = 0
        private var prober: HTTPProber?

        init(
            on loop: any EventLoop,
            atReading number: Int,
            resolve: @escaping @Sendable (NameQuery) -> Resolution = Resolution.system,
            after isArmed: @escaping @Sendable () -> Bool
        ) {
            self.isArmed = isArmed
            remaining = number
            let gate = LoopGate(loop)
            let start = ContinuousClock.now
            prober = HTTPProber(
                gate: gate,
                contexts: TLSContexts(gate: gate, wallTime: TLSContexts.systemTime),
                searches: PatternSearcher(gate: gate, pool: PatternSearchPool()),
                redirects: RedirectResolver(
                    gate: gate,
                    targets: { 1 },
                    resolve: resolve,
                    time: { ContinuousClock.now - start }
                ),
                time: { [unowned self] in
                    readClock()
                    return ContinuousClock.now - start
                },
                report: { [unowned self] in if case .ended = $0 { ended += 1 } }
            )
        }

        private func readClock() {
            guard remaining > 0, isArmed() else { return }
            remaining -= 1
            if remaining == 0 { prober?.void(at: .zero) }
        }

        func send(to port: UInt16, _ options: HTTPOptions) {
            let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: port, path: "/", options: options)
            let probe = Probe(
                target: Target.ID(0),
                watch: 1,
                sequence: 1,
                question: .http(question),
                timeout: .seconds(60),
                made: .zero,
                address: IPAddress(ipv4: 0x7F00_0001)
            )
            prober?.send(probe)
        }
    }

    /// The number of requests, and of reports, some time after a stall at one reading of the clock after the first request.
    private func counts(
        atReading number: Int,
        _ options: HTTPOptions,
        answer: @escaping @Sendable (UInt16) -> String,
        after isArmed: (@Sendable () -> Bool)? = nil,
        resolve: @escaping @Sendable (NameQuery) -> Resolution = Resolution.system
    ) async throws -> (requests: Int, reports: Int) {
        let requests = Counter()
        let port = Counter()
        let server = try await WebServer.on { _ in
            requests.add(1)
            return .send(answer(UInt16(port.value)))
        }
        port.add(Int(server.port))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let prober = try await loop.submit {
            let prober = StalledProber(
                on: loop,
                atReading: number,
                resolve: resolve,
                after: isArmed ?? { requests.value > 0 }
            )
            prober.send(to: server.port, options)
            return NIOLoopBound(prober, eventLoop: loop)
        }.get()
        // Three times the delay of a retry.
        let pause = TimeAmount.nanoseconds(HTTPProber.retryDelay.nanoseconds * 3)
        let reports = try await loop.scheduleTask(in: pause) { prober.value.ended }.futureResult.get()
        try await server.close()
        return (requests.value, reports)
    }

    @Test(arguments: 1...5)
    func `a stall while a request ends starts no retry`(reading: Int) async throws {
        let options = HTTPOptions(method: "POST", retries: 5)
        let counts = try await counts(atReading: reading, options) { _ in WebServer.answer("500 No") }
        #expect(counts.requests == 1)
        #expect(counts.reports == 0)
    }

    @Test func `a stall during the lookup of a redirect starts no request`() async throws {
        let lookups = Counter()
        let counts = try await counts(
            atReading: 1,
            HTTPOptions(follow: 1),
            answer: { WebServer.answer("302 Found", headers: "Location: http://other.test:\($0)/\r\n") },
            after: { lookups.value > 0 },
            resolve: { _ in
                lookups.add(1)
                return .addresses([IPAddress(ipv4: 0x7F00_0001)])
            }
        )
        #expect(lookups.value == 1)
        #expect(counts.requests == 1)
        #expect(counts.reports == 0)
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock(\.self) }

        func add(_ number: Int) { count.withLock { $0 += number } }
    }
}
