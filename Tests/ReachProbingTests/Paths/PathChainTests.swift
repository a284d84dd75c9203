#if os(Linux)
import Foundation
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachProbing

/// A chain of network namespaces, near – r1 – r2 – r3 – far, with 10.9.N.0/24 and fd09:N::/64 between them. The near end of a
/// link has the address 1, the far end 2. Releasing the last reference deletes them.
final class PathChain: Sendable {
    private static let places = ["near", "r1", "r2", "r3", "far"]
    private let prefix = "path\(String(UInt32.random(in: .min ... .max), radix: 36))"

    init() throws {
        for place in Self.places {
            try Command.must("ip", "netns", "add", name(place))
            try ip(place, "link", "set", "lo", "up")
        }
        for (index, place) in Self.places.dropLast().enumerated() {
            let (link, next) = (index + 1, Self.places[index + 1])
            try ip(place, "link", "add", "right", "type", "veth", "peer", "name", "left", "netns", name(next))
            for (end, device, host) in [(place, "right", 1), (next, "left", 2)] {
                try ip(end, "address", "add", "10.9.\(link).\(host)/24", "dev", device)
                try ip(end, "address", "add", "fd09:\(link)::\(host)/64", "dev", device, "nodad")
                try ip(end, "link", "set", device, "up")
            }
        }
        for (index, place) in Self.places.enumerated() {
            // Each machine reaches the links on its right by the right neighbour, and those on its left by the left one.
            for link in 1...4 where link != index && link != index + 1 {
                let (via, host) = link > index ? (index + 1, 2) : (index, 1)
                try ip(place, "route", "add", "10.9.\(link).0/24", "via", "10.9.\(via).\(host)")
                try ip(place, "-6", "route", "add", "fd09:\(link)::/64", "via", "fd09:\(via)::\(host)")
            }
            let settings = [
                "ipv4/ip_forward=1", "ipv6/conf/all/forwarding=1", "ipv4/icmp_ratelimit=0", "ipv6/icmp/ratelimit=0",
                "ipv4/ping_group_range=0 2147483647",
            ]
            let lines = settings.map { setting in
                let parts = setting.split(separator: "=")
                return "echo '\(parts[1])' > /proc/sys/net/\(parts[0])"
            }
            try Command.must("ip", "netns", "exec", name(place), "sh", "-ec", lines.joined(separator: "; "))
        }
    }

    deinit {
        for place in Self.places { try? Command.must("ip", "netns", "del", name(place)) }
    }

    /// Runs `ip` in a namespace.
    func ip(_ place: String, _ words: String...) throws {
        try Command.must(["ip", "-n", name(place)] + words)
    }

    private func name(_ place: String) -> String { "\(prefix)-\(place)" }

    /// Runs `body` on a thread in a namespace.
    ///
    /// - Parameter isPrivileged: whether the thread keeps the rights of root.
    func enter<Result: Sendable>(
        _ place: String,
        isPrivileged: Bool = true,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let path = "/run/netns/\(name(place))"
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Swift.Result {
                        try Self.setNetwork(path)
                        if !isPrivileged { try Self.dropRights() }
                        return try body()
                    }
                )
            }
        }
    }

    private static func setNetwork(_ path: String) throws {
        // The header declares it only with _GNU_SOURCE.
        typealias SetNamespace = @convention(c) (CInt, CInt) -> CInt
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, let symbol = dlsym(nil, "setns"),
            unsafeBitCast(symbol, to: SetNamespace.self)(descriptor, 0) == 0
        else { throw Command.Failed(command: "setns") }
    }

    /// Makes the calling thread, and no other, that of the user `nobody`, who has no capabilities. The function of the C
    /// library would change all threads.
    private static func dropRights() throws {
        typealias Call = @convention(c) (Int, Int, Int, Int) -> Int
        #if arch(x86_64)
        let (setGroups, setGroupIDs, setUserIDs) = (116, 119, 117)
        #else
        let (setGroups, setGroupIDs, setUserIDs) = (159, 149, 147)
        #endif
        guard let symbol = dlsym(nil, "syscall") else { throw Command.Failed(command: "syscall") }
        let call = unsafeBitCast(symbol, to: Call.self)
        let nobody = 65_534
        guard call(setGroups, 0, 0, 0) == 0, call(setGroupIDs, nobody, nobody, nobody) == 0,
            call(setUserIDs, nobody, nobody, nobody) == 0
        else { throw Command.Failed(command: "setresuid") }
    }
}

@Suite(
    .live,
    .enabled("network namespaces and tunnels cannot be made here") { await PrivateNetwork.isAllowed() }
) struct PathChainTests {
    /// A hop and its answer.
    struct Line: Sendable, Hashable, CustomStringConvertible {
        let hop: Int
        let source: String
        let kind: PathAnswer.Kind

        var description: String { "\(hop) \(source) \(kind)" }
    }

    /// Probes the hops up to the fifth at once. Run on the thread of a network.
    private static func trace(_ destination: PathDestination, size: Int? = nil) throws -> [Line] {
        let prober = try PathProber()
        defer { prober.close() }
        let start = ContinuousClock.now
        for hop in 1...5 {
            let probe = PathProbe(number: UInt32(hop), destination: destination, hop: hop, size: size)
            if let outcome = prober.send(probe, at: ContinuousClock.now - start) {
                throw Command.Failed(command: "\(outcome)")
            }
        }
        var answers: [PathAnswer] = []
        while answers.count < 5, ContinuousClock.now - start < .seconds(5) {
            var polled = pollfd(fd: prober.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, 100)
            answers += prober.read(at: ContinuousClock.now - start)
        }
        return answers.sorted { $0.probe < $1.probe }
            .map { Line(hop: Int($0.probe), source: $0.source, kind: $0.kind) }
    }

    /// Traces without privilege. Address resolution of IPv6 may lose the first packets.
    private func trace(_ chain: PathChain, _ destination: PathDestination, size: Int? = nil, isPrivileged: Bool = false)
        async throws -> [Line]
    {
        var lines: [Line] = []
        for _ in 0..<3 where lines.count < 5 {
            lines = try await chain.enter("near", isPrivileged: isPrivileged) {
                try Self.trace(destination, size: size)
            }
        }
        return lines
    }

    private static func address(_ link: Int, _ host: Int, isIPv6: Bool) -> String {
        isIPv6 ? "fd09:\(link)::\(host)" : "10.9.\(link).\(host)"
    }

    private static func expected(isIPv6: Bool, last: PathAnswer.Kind) -> [Line] {
        (1...5).map { hop in
            Line(hop: hop, source: address(min(hop, 4), 2, isIPv6: isIPv6), kind: hop < 4 ? .exceeded : last)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `without privilege, each way finds three routers and the host`(isIPv6: Bool) async throws {
        let chain = try PathChain()
        let host = Self.address(4, 2, isIPv6: isIPv6)
        let cases: [(PathMethod, PathAnswer.Arrival)] = [(.udp, .refused), (.icmp, .reply), (.tcp, .refused)]
        for (method, arrival) in cases {
            let port: UInt16 = method == .icmp ? 0 : 81
            let lines = try await trace(chain, PathDestination(address: host, method: method, port: port))
            #expect(lines == Self.expected(isIPv6: isIPv6, last: .reached(arrival)), "\(method)")
        }
        // Where datagram sockets of ICMP are refused, root has raw ones.
        try await chain.enter("near") { try Command.write("1 0", to: "/proc/sys/net/ipv4/ping_group_range") }
        let echo = PathDestination(address: host, method: .icmp)
        let lines = try await trace(chain, echo, isPrivileged: true)
        #expect(lines == Self.expected(isIPv6: isIPv6, last: .reached(.reply)))
        let fault = try await chain.enter("near", isPrivileged: false) { PathProber.fault(of: .icmp, isIPv6: isIPv6) }
        #expect(fault?.problem == .permission)
        #expect(fault?.cures.isEmpty == false)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `a server that accepts connections never sees one`(isIPv6: Bool) async throws {
        let chain = try PathChain()
        let any = isIPv6 ? IPAddress(ipv6: 0, 0) : IPAddress(ipv4: 0)
        let listener = try await chain.enter("far") {
            let listener = openSocket(any.family, SocketType.stream)
            guard any.withSocketAddress(port: 8_080, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
                throw Command.Failed(command: "listen")
            }
            return listener
        }
        defer { close(listener) }
        let host = Self.address(4, 2, isIPv6: isIPv6)
        // The kernel delays the acknowledgement by 200 ms, and this machine may be busy for longer.
        for _ in 0..<10 {
            while case let completed = accept(listener, nil, nil), completed >= 0 { close(completed) }
            let start = ContinuousClock.now
            let lines = try await trace(chain, PathDestination(address: host, method: .tcp, port: 8_080))
            let elapsed = ContinuousClock.now - start
            #expect(lines == Self.expected(isIPv6: isIPv6, last: .reached(.accepted)))
            if elapsed < .milliseconds(150) { break }
        }
        var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        #expect(poll(&polled, 1, 300) == 0, "a connection was completed")
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `a narrow link is found with the router before it`(isIPv6: Bool) async throws {
        let chain = try PathChain()
        try chain.ip("r2", "link", "set", "right", "mtu", "1400")
        for method in [PathMethod.udp, .icmp] {
            let host = Self.address(4, 2, isIPv6: isIPv6)
            let port: UInt16 = method == .icmp ? 0 : 81
            let lines = try await trace(chain, PathDestination(address: host, method: method, port: port), size: 1_450)
            let expected = (1...5).map { hop in
                Line(
                    hop: hop,
                    source: Self.address(min(hop, 2), 2, isIPv6: isIPv6),
                    kind: hop < 3 ? .exceeded : .tooBig(mtu: 1_400)
                )
            }
            #expect(lines == expected, "\(method)")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a link-local host keeps its interface`() async throws {
        let chain = try PathChain()
        try chain.ip("r1", "address", "add", "fe80::9/64", "dev", "left", "nodad")
        let host = "fe80::9%right"
        for method in PathMethod.allCases {
            let port: UInt16 = method == .icmp ? 0 : 81
            let lines = try await trace(chain, PathDestination(address: host, method: method, port: port))
            #expect(lines.count == 5)
            #expect(Set(lines.map(\.source)) == [host])
            #expect(lines.allSatisfy { $0.kind == .reached(method == .icmp ? .reply : .refused) })
        }
    }
}
#endif
