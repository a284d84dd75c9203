#if os(Linux)
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachProbing

/// A prober and simulated routers, on one thread.
private struct PathBench {
    let routers: SimulatedRouters
    let prober: PathProber
    private let start = ContinuousClock.now
    private(set) var number: UInt32 = 0

    init() throws {
        routers = try SimulatedRouters()
        prober = try PathProber()
    }

    /// Sends a probe for each hop, and returns their packets by hop.
    mutating func send(
        _ method: PathMethod = .udp,
        port: UInt16 = 33_434,
        hops: ClosedRange<Int> = 1...3,
        flow: Int = 0,
        size: Int? = nil,
        host: String = SimulatedRouters.host
    ) -> [Int: SimulatedRouters.Packet] {
        let destination = PathDestination(
            address: host,
            method: method,
            port: method == .icmp ? 0 : port
        )
        for hop in hops {
            number += 1
            let probe = PathProbe(number: number, destination: destination, hop: hop, flow: flow, size: size)
            let outcome = prober.send(probe, at: ContinuousClock.now - start)
            #expect(outcome == nil)
        }
        return Dictionary(routers.receive().map { ($0.hop, $0) }) { one, _ in one }
    }

    /// Returns the answers that the kernel has received.
    func read() -> [PathAnswer] {
        var polled = pollfd(fd: prober.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 20) > 0 else { return [] }
        return prober.read(at: ContinuousClock.now - start)
    }
}

@Suite(
    .live,
    .enabled("network namespaces and tunnels cannot be made here") { await PrivateNetwork.isAllowed() }
) struct PathProberTests {
    private static let host: [UInt8] = [198, 51, 100, 9]

    /// Runs a test in a network of simulated routers.
    private func simulate(_ test: @escaping @Sendable (inout PathBench) throws -> Void) async throws {
        try await PrivateNetwork.enter {
            var bench = try PathBench()
            try test(&bench)
            bench.prober.close()
            bench.routers.tunnel.close()
        }
    }

    @Test(arguments: PathMethod.allCases)
    func `each hop has the router that answered, in whatever order`(by method: PathMethod) async throws {
        try await simulate { bench in
            let packets = bench.send(method, port: 443, hops: 1...5)
            #expect(packets.count == 5)
            for hop in [5, 2, 4, 1, 3] {
                guard let packet = packets[hop] else { continue }
                // The headers alone are not enough for UDP, see below.
                var answer = SimulatedRouters.Answer.router(hop)
                if method != .udp { answer.quoted = 28 }
                bench.routers.send(answer, about: packet)
            }
            let answers = bench.read()
            #expect(Set(answers.map { "\($0.probe) \($0.source)" }) == Set((1...5).map { "\($0) 203.0.113.\($0)" }))
            #expect(answers.allSatisfy { $0.kind == .exceeded && $0.roundTrip > .zero && $0.roundTrip < .seconds(1) })
        }
    }

    @Test(arguments: [PathMethod.udp, .icmp])
    func `all 255 hops may answer at once`(by method: PathMethod) async throws {
        try await simulate { bench in
            let packets = bench.send(method, hops: 1...255)
            for (hop, packet) in packets {
                // "Fragment reassembly time exceeded" says nothing about the path.
                bench.routers.send(SimulatedRouters.Answer(source: [203, 0, 113, 9], type: 11, code: 1), about: packet)
                bench.routers.send(.router(hop), about: packet)
            }
            var answers: [PathAnswer] = []
            while case let more = bench.read(), !more.isEmpty { answers += more }
            #expect(answers.count == 255)
            #expect(answers.allSatisfy { $0.source == "203.0.113.\($0.probe)" })
        }
    }

    @Test(arguments: [PathMethod.udp, .icmp])
    func `the packets of a flow have the same ports and checksum, and those of another flow do not`(
        by method: PathMethod
    )
        async throws
    {
        try await simulate { bench in
            let first = bench.send(method, hops: 1...20)
            let second = bench.send(method, hops: 1...20, flow: 1)
            func keys(_ packets: [Int: SimulatedRouters.Packet]) -> Set<[UInt8]> {
                Set(
                    packets.values.map {
                        ($0.bytes[9] == 1 ? Array($0.bytes[24..<26]) : Array($0.bytes[20..<24])) + $0.checksum
                    }
                )
            }
            #expect(first.count == 20)
            #expect(keys(first).count == 1, "\(keys(first))")
            #expect(keys(second).count == 1)
            #expect(keys(first) != keys(second))
            #expect(bench.prober.socketCount == 2)
        }
    }

    @Test func `connections of one flow have the same port if they follow one another`() async throws {
        try await simulate { bench in
            var ports: Set<Int> = []
            for hop in 1...4 {
                let packets = bench.send(.tcp, port: 443, hops: hop...hop)
                let packet = try #require(packets[hop])
                ports.insert(packet.sourcePort)
                bench.routers.send(.router(hop), about: packet)
                #expect(bench.read().count == 1)
            }
            #expect(ports.count == 1)
            #expect(bench.prober.socketCount == 0)
            // So do connections to several destinations at a time.
            for host in 1...5 {
                let packet = try #require(bench.send(.tcp, port: 443, hops: 1...1, host: "198.51.100.\(host)")[1])
                ports.insert(packet.sourcePort)
            }
            #expect(bench.prober.socketCount == 5)
            #expect(ports.count == 1)
            // Several at once to one destination cannot have it.
            #expect(Set(bench.send(.tcp, port: 443, hops: 1...4).values.map(\.sourcePort)).count == 4)
        }
    }

    @Test func `routers that quote the headers alone are found in the second round, each by a socket of its hop`()
        async throws
    {
        try await simulate { bench in
            func answerAll(_ packets: [Int: SimulatedRouters.Packet]) {
                for (hop, packet) in packets {
                    var answer = SimulatedRouters.Answer.router(hop)
                    if hop == 2 || hop == 4 { answer.quoted = 28 }
                    bench.routers.send(answer, about: packet)
                }
            }
            func sources(_ answers: [PathAnswer], after number: UInt32) -> [UInt32: String] {
                Dictionary(answers.map { ($0.probe - number, $0.source) }) { one, _ in one }
            }
            // A silent fifth hop could have caused the short quotations too.
            answerAll(bench.send(hops: 1...5).filter { $0.key != 5 })
            let first = sources(bench.read(), after: 0)
            #expect(first[2] == nil && first[4] == nil)
            #expect(first[1] == "203.0.113.1" || first[1] == nil)
            for number in 1...5 { bench.prober.forget(UInt32(number)) }
            answerAll(bench.send(hops: 1...5).filter { $0.key != 5 })
            #expect(
                sources(bench.read(), after: 5) == [
                    1: "203.0.113.1", 2: "203.0.113.2", 3: "203.0.113.3", 4: "203.0.113.4",
                ]
            )
            for number in 6...10 { bench.prober.forget(UInt32(number)) }
            #expect(bench.prober.socketCount == 1)
        }
    }

    @Test func `forged, foreign and damaged quotations are dropped and counted`() async throws {
        try await simulate { bench in
            for method in [PathMethod.udp, .icmp] {
                let before = bench.prober.counts.unmatched
                let packet = try #require(bench.send(method, hops: 3...3)[3])
                let identity = method == .udp ? 28 : 32
                for offset in [16, 19, identity, identity + 4, identity + 7] {
                    var forged = SimulatedRouters.Answer.router(66)
                    forged.change = { $0[offset] ^= 0x55 }
                    bench.routers.send(forged, about: packet)
                }
                #expect(bench.read().isEmpty)
                #expect(bench.prober.counts.unmatched > before)
                bench.routers.send(.router(3), about: packet)
                #expect(bench.read().map(\.source) == ["203.0.113.3"])
                // A repetition.
                bench.routers.send(.router(3), about: packet)
                #expect(bench.read().isEmpty)
            }
        }
    }

    @Test(arguments: PathMethod.allCases, [true, false])
    func `labels are read, with and without the length of the quotation`(by method: PathMethod, hasLength: Bool)
        async throws
    {
        try await simulate { bench in
            let packet = try #require(bench.send(method, port: 443, hops: 2...2)[2])
            var answer = SimulatedRouters.Answer.router(2)
            answer.extensions = ExtensionBytes.stack([24_012 << 12 | 1, 16 << 12 | 1 << 8 | 9])
            var message = answer.message(about: packet)
            if !hasLength {
                message[25] = 0
                message.replaceSubrange(22..<24, with: [0, 0])
                message.replaceSubrange(20..., with: SimulatedRouters.summed(Array(message[20...]), at: 2))
            }
            bench.routers.tunnel.send(message)
            let answers = bench.read()
            #expect(
                answers.map(\.labels) == [
                    [
                        MPLSLabel(label: 24_012, trafficClass: 0, timeToLive: 1),
                        MPLSLabel(label: 16, trafficClass: 0, timeToLive: 9),
                    ]
                ]
            )
        }
    }

    @Test func `a port that is unreachable is the destination's answer only if the destination sent it`() async throws {
        try await simulate { bench in
            for method in PathMethod.allCases {
                let packets = bench.send(method, port: 443, hops: 3...4)
                for (hop, source) in [(3, [203, 0, 113, 50]), (4, Self.host)] as [(Int, [UInt8])] {
                    guard let packet = packets[hop] else { continue }
                    bench.routers.send(SimulatedRouters.Answer(source: source, type: 3, code: 3), about: packet)
                }
                let answers = bench.read().sorted { $0.probe < $1.probe }
                #expect(answers.map(\.kind) == [.unreachable(.refused), .reached(.refused)])
                #expect(answers.map(\.source) == ["203.0.113.50", SimulatedRouters.host])
            }
        }
    }

    @Test(arguments: [PathMethod.udp, .icmp])
    func `a large packet is not fragmented, and brings the MTU of a router or of this machine's link`(
        by method: PathMethod
    )
        async throws
    {
        try await simulate { bench in
            let packet = try #require(bench.send(method, hops: 4...4, size: 1_480)[4])
            #expect(packet.isUnfragmented)
            #expect(packet.bytes.count == 1_480)
            let answer = SimulatedRouters.Answer(source: [203, 0, 113, 2], type: 3, code: 4, mtu: 1_400)
            bench.routers.send(answer, about: packet)
            let answers = bench.read()
            #expect(answers.map(\.kind) == [.tooBig(mtu: 1_400)])
            #expect(answers.map(\.source) == ["203.0.113.2"])
            // The kernel has learned the MTU, and probes larger packets nevertheless.
            #expect(bench.send(method, hops: 5...5, size: 1_480)[5]?.bytes.count == 1_480)
            #expect(bench.send(method, hops: 6...6, size: 1_600).isEmpty)
            let local = bench.read()
            #expect(local.map(\.kind) == [.tooBig(mtu: 1_500)])
            #expect(local.map(\.source) == ["192.0.2.1"])
        }
    }

    @Test func `a datagram answers the query that it returns, or else the only probe`() async throws {
        try await simulate { bench in
            let queries = bench.send(port: 53, hops: 6...8)
            for hop in [8, 6] {
                guard let packet = queries[hop] else { continue }
                var reply = Array(packet.bytes[28...])
                reply[2] |= 0x80
                bench.routers.sendDatagram(reply, from: Self.host, answering: packet)
            }
            #expect(Set(bench.read().map(\.probe)) == [1, 3])
            // A server of another protocol returns nothing of the probe.
            let probes = bench.send(port: 9, hops: 6...7)
            if let packet = probes[7] { bench.routers.sendDatagram([1, 2, 3], from: Self.host, answering: packet) }
            #expect(bench.read().isEmpty)
            for number in 4...5 { bench.prober.forget(UInt32(number)) }
            let again = bench.send(port: 9, hops: 6...7)
            if let packet = again[7] { bench.routers.sendDatagram([1, 2, 3], from: Self.host, answering: packet) }
            let answers = bench.read()
            #expect(answers.map(\.probe) == [7])
            #expect(answers.map(\.kind) == [.reached(.reply)])
        }
    }

    @Test func `an echo reply from another address has that address`() async throws {
        try await simulate { bench in
            let packet = try #require(bench.send(.icmp, hops: 5...5)[5])
            let reply = SimulatedRouters.summed([0, 0, 0, 0] + Array(packet.bytes[24...]), at: 2)
            var message = SimulatedRouters.Answer(source: [203, 0, 113, 77]).message(about: packet)
            message.replaceSubrange(20..., with: reply)
            let length = message.count
            message.replaceSubrange(2..<4, with: [UInt8(length >> 8), UInt8(length & 0xFF)])
            message.replaceSubrange(10..<12, with: [0, 0])
            bench.routers.tunnel.send(SimulatedRouters.summed(Array(message[..<20]), at: 10) + Array(message[20...]))
            let answers = bench.read()
            #expect(answers.map(\.kind) == [.reached(.reply)])
            #expect(answers.map(\.source) == ["203.0.113.77"])
        }
    }

    @Test func `a connection is given up before its first packet would be repeated`() async throws {
        try await simulate { bench in
            _ = bench.send(.tcp, port: 443, hops: 9...9)
            let deadline = try #require(bench.prober.nextDeadline)
            #expect(bench.prober.socketCount == 1)
            #expect(bench.prober.read(at: deadline).isEmpty)
            #expect(bench.prober.socketCount == 0)
            #expect(bench.prober.nextDeadline == nil)
        }
    }

    @Test func `sockets are bounded, and bad probes are refused`() async throws {
        try await simulate { bench in
            let prober = bench.prober
            func send(_ number: Int, _ address: String = SimulatedRouters.host, hop: Int = 9, size: Int? = nil)
                -> Outcome?
            {
                let destination = PathDestination(address: address, method: .tcp, port: 443)
                let probe = PathProbe(number: UInt32(number), destination: destination, hop: hop, size: size)
                return prober.send(probe, at: .zero)
            }
            for (address, hop, size) in [
                ("host.example", 1, nil), ("192.0.2.9", 0, nil), ("224.0.0.1", 1, nil), ("192.0.2.9", 1, 99),
            ]
                as [(String, Int, Int?)]
            {
                guard case .fault = send(1, address, hop: hop, size: size) else {
                    Issue.record("\(address) \(hop)")
                    continue
                }
            }
            for number in 1...PathProber.maxSockets { #expect(send(number) == nil) }
            guard case .fault(let fault) = send(1_000) else {
                Issue.record("no fault")
                return
            }
            #expect(fault.problem == .tooManyFiles)
            prober.forget(7)
            #expect(send(1_001) == nil)
        }
    }
}
#endif
