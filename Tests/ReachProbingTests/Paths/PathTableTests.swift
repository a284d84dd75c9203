import ReachBasics
import ReachMonitoring
import ReachSystem
import Testing

@testable import ReachProbing

struct PathTableTests {
    private static let host = IPAddress(ipv4: 0xC000_0201)
    private static let destination = PathDestination(address: "192.0.2.1", method: .udp, port: 9)
    private static let key: UInt32 = 0xA1B2_C3D4

    private func entry(_ number: UInt32, hop: Int = 1, socket: Int = 1, at sent: Duration = .zero) -> PathTable.Entry {
        let probe = PathProbe(number: number, destination: Self.destination, hop: hop)
        let packet = PathPacket(probe, family: .ipv4, key: Self.key, identifier: 5)
        return PathTable.Entry(probe: probe, address: Self.host, socket: socket, packet: packet, sent: sent)
    }

    private func table(_ entries: PathTable.Entry...) -> PathTable {
        var table = PathTable(key: Self.key)
        for entry in entries { table.add(entry) }
        return table
    }

    private func claim(
        _ table: inout PathTable,
        _ quotation: ArraySlice<UInt8>,
        to destination: IPAddress = host,
        port: UInt16 = 9,
        of socket: Int = 1
    ) -> UInt32? {
        table.claim(quoting: quotation, to: destination, port: port, of: socket, layout: .datagram)?.probe.number
    }

    @Test func `a quotation counts only with its destination, port and socket, and once`() {
        let sent = entry(7)
        let quotation = (sent.packet?.bytes ?? [])[...]
        var table = table(sent, entry(8, hop: 2))
        #expect(claim(&table, quotation, to: IPAddress(ipv4: 0xC000_0202)) == nil)
        #expect(claim(&table, quotation, port: 10) == nil)
        #expect(claim(&table, quotation, of: 2) == nil)
        #expect(claim(&table, quotation) == 7)
        #expect(claim(&table, quotation) == nil)
        #expect(table.counts.unmatched == 4)
    }

    @Test func `a quotation of the headers alone belongs to the only probe, and among several to none`() {
        var single = table(entry(7))
        #expect(claim(&single, []) == 7)
        #expect(claim(&single, []) == nil, "a repetition")

        var several = table(entry(7), entry(8, hop: 2))
        #expect(claim(&several, []) == nil)
        #expect(several.counts.ambiguous == 1)
        #expect(several.needsOwnSocket(entry(9, hop: 2).probe))
        #expect(!several.needsOwnSocket(entry(9, hop: 3).probe))
        several.add(entry(9, hop: 2, socket: 2))
        #expect(claim(&several, [], of: 2) == 9)
    }

    @Test func `an abandoned probe makes a short quotation ambiguous until its answer cannot arrive any more`() {
        var table = table(entry(7))
        #expect(table.forget(7) != nil)
        table.add(entry(8, at: .seconds(1)))
        #expect(claim(&table, []) == nil)
        table.expire(at: .seconds(10))
        #expect(claim(&table, []) == 8)
    }

    @Test func `a hop whose answers show their identity shares the socket of its flow again`() {
        var table = table(entry(7), entry(8, hop: 2))
        _ = claim(&table, [])
        let own = entry(9, hop: 2, socket: 2)
        table.add(own)
        #expect(claim(&table, (own.packet?.bytes ?? [])[...], of: 2) == 9)
        #expect(!table.needsOwnSocket(own.probe))
    }

    @Test func `a datagram of the destination without an identity belongs to the only probe`() {
        func answer(_ table: inout PathTable, _ bytes: [UInt8], from source: IPAddress = Self.host) -> UInt32? {
            table.claim(answeredBy: bytes[...], from: source, port: 9, of: 1, layout: .datagram)?.probe.number
        }
        var single = table(entry(7))
        #expect(answer(&single, [1, 2, 3], from: IPAddress(ipv4: 0xC000_0202)) == nil)
        #expect(answer(&single, [1, 2, 3]) == 7)
        var several = table(entry(7), entry(8, hop: 2))
        #expect(answer(&several, [1, 2, 3]) == nil)
        // An echo service returns the identity, whatever address it has.
        let echoed = entry(8).packet?.bytes ?? []
        #expect(answer(&several, echoed, from: IPAddress(ipv4: 0xC000_0202)) == 8)
    }

    /// A message on its way back to this machine.
    private struct Message {
        let cause: PathTable.Entry
        let quoted: Int
        let arrival: Int
    }

    /// Routers quote between nothing and everything, answers are late, lost or repeated, and probes are abandoned.
    @Test(arguments: 0..<300)
    func `no answer is taken for that of another probe, and every answering hop gets its answers`(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var table = PathTable(key: Self.key)
        let hops = Int.random(in: 1...8, using: &random)
        let quotes = (0..<hops).map { _ in [0, 0, 2, 4, 7, 8, 12].randomElement(using: &random) ?? 0 }
        let losses = (0..<hops).map { _ in [0, 0, 0, 30, 100].randomElement(using: &random) ?? 0 }
        let slowest = [1, 5, 12].randomElement(using: &random) ?? 1
        let timeout = Int.random(in: 3...15, using: &random)
        var messages: [Message] = []
        var waiting: [UInt32: Int] = [:]
        var answersOfLastRounds = Array(repeating: 0, count: hops)
        var (number, socket) = (UInt32.random(in: .min ... .max, using: &random), 1)
        let rounds = 60
        // A tick is a tenth of a second; a round is one second.
        for tick in 0..<(rounds * 10) {
            let now = Duration.milliseconds(tick * 100)
            if tick.isMultiple(of: 10) {
                for hop in 0..<hops {
                    number &+= 1
                    let probe = PathProbe(number: number, destination: Self.destination, hop: hop + 1)
                    if table.needsOwnSocket(probe) { socket += 1 }
                    let sent = entry(
                        number,
                        hop: hop + 1,
                        socket: table.needsOwnSocket(probe) ? socket : 1,
                        at: now
                    )
                    table.add(sent)
                    waiting[number] = tick + timeout
                    guard Int.random(in: 0..<100, using: &random) >= losses[hop] else { continue }
                    for copy in 0..<(Int.random(in: 0..<10, using: &random) == 0 ? 2 : 1) {
                        // An answer may outlast the timeout, and its repetition the next round.
                        let repetition = copy * Int.random(in: 1...15, using: &random)
                        let delay = Int.random(in: 1...slowest, using: &random) + repetition
                        messages.append(Message(cause: sent, quoted: quotes[hop], arrival: tick + delay))
                    }
                }
            }
            for message in messages where message.arrival == tick {
                // The kernel drops a message for a closed socket.
                let isOpen = message.cause.socket == 1 || waiting[message.cause.probe.number] != nil
                guard isOpen else { continue }
                let quotation = (message.cause.packet?.bytes ?? []).prefix(message.quoted)
                guard let claimed = claim(&table, quotation, of: message.cause.socket) else { continue }
                #expect(claimed == message.cause.probe.number)
                #expect(waiting[claimed] != nil)
                waiting[claimed] = nil
                if message.cause.socket != 1 { table.remove(claimed) }
                if tick >= (rounds - 20) * 10 { answersOfLastRounds[message.cause.probe.hop - 1] += 1 }
            }
            messages.removeAll { $0.arrival <= tick }
            for (number, end) in waiting where end == tick {
                if let entry = table.forget(number), entry.socket != 1 { table.remove(number) }
                waiting[number] = nil
            }
            table.expire(at: now)
        }
        for hop in 0..<hops where losses[hop] == 0 && slowest < timeout {
            #expect(answersOfLastRounds[hop] >= 18, "hop \(hop + 1) of \(quotes)")
        }
        #expect(table.count <= hops * 110)
    }
}
