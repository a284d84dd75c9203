import ReachSystem

import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)), .enabled(if: canOpenICMP, "no ICMP socket may be opened here"))
struct EchoTests {
    @Test(arguments: ["127.0.0.1", "::1"])
    func `loopback replies to each probe`(host: String) async throws {
        let harness = EngineHarness()
        harness.watch([.icmp(host: host)], interval: .milliseconds(50), timeout: .seconds(1))
        let observations = await harness.observations(5)
        #expect(observations.map(\.sequence) == [1, 2, 3, 4, 5])
        for observation in observations {
            guard case .reply(let reply) = observation.outcome, let roundTrip = reply.roundTrip else {
                Issue.record("\(observation.outcome)")
                continue
            }
            #expect(roundTrip > .zero && roundTrip < .seconds(1))
            #expect(observation.address == host)
        }
        await harness.engine.shutdown()
    }

    #if os(Linux)
    @Test(arguments: [true, false])
    func `only small packets are sent with the don't-fragment bit`(isUnfragmented: Bool) throws {
        let kind = EchoSocket.Kind(family: .ipv4, ttl: 64, dscp: 0, isUnfragmented: isUnfragmented)
        let descriptor = try EchoSocket.descriptor(for: kind)
        defer { closeDescriptor(descriptor) }
        var (discovery, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        #expect(getsockopt(descriptor, CInt(IPPROTO_IP), IP_MTU_DISCOVER, &discovery, &size) == 0)
        #expect((discovery == CInt(IP_PMTUDISC_DO)) == isUnfragmented)
    }
    #endif

    @Test func `a probe that cannot be sent does not fail others`() async throws {
        let harness = EngineHarness()
        // To a broadcast address the kernel sends nothing, unless SO_BROADCAST is set.
        let hosts = (0..<60).map { $0 % 3 == 1 ? "255.255.255.255" : "127.0.9.\($0 + 1)" }
        harness.watch(hosts.map { Question.icmp(host: $0) }, interval: .milliseconds(50), timeout: .seconds(1))
        for observation in await harness.observations(600) {
            #expect(observation.address == hosts[observation.target.rawValue])
            switch observation.outcome {
            case .reply: #expect(observation.target.rawValue % 3 != 1)
            case .fault(let fault):
                #expect(observation.target.rawValue % 3 == 1)
                #expect(fault.detail.hasPrefix("broadcast address"))
            case .timeout, .failure: Issue.record("\(observation)")
            }
        }
        await harness.engine.shutdown()
    }

    @Test func `two engines with three hundred targets receive their own replies`() async throws {
        let hosts = (0..<300).map { "127.\($0 / 250).7.\($0 % 250 + 1)" }
        let questions = hosts.map { Question.icmp(host: $0) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let harness = EngineHarness()
                    harness.watch(questions, interval: .milliseconds(500), timeout: .seconds(5))
                    let observations = await harness.observations(1_500)
                    for observation in observations {
                        guard case .reply = observation.outcome else {
                            Issue.record("\(observation)")
                            continue
                        }
                        #expect(observation.address == hosts[observation.target.rawValue])
                    }
                    for (id, records) in Dictionary(grouping: observations, by: \.target) {
                        #expect(records.map(\.sequence) == Array(1...records.count), "\(hosts[id.rawValue])")
                    }
                    #expect(Set(observations.map(\.target)).count == 300)
                    await harness.engine.shutdown()
                }
            }
        }
    }
}

/// Whether the tests may open ICMP sockets on this machine.
let canOpenICMP: Bool = {
    let kind = EchoSocket.Kind(family: .ipv4, ttl: 64, dscp: 0)
    guard let descriptor = try? EchoSocket.descriptor(for: kind) else { return false }
    return close(descriptor) == 0
}()
