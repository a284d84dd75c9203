import Monitoring

/// Which echo request a reply answers.
///
/// A reply counts if its cookie, its sequence number and its source address are those of a request. A request's slot
/// is kept for a while after its end, so that a late or second reply is known for what it is.
struct EchoTable: Sendable {
    /// How long a slot is kept after its probe has ended.
    static let memory = Duration.seconds(10)
    /// How many slots are kept after their probes have ended: at ten thousand replies a second that is three seconds.
    static let mostEnded = 1 << 15

    /// What a reply is.
    enum Verdict: Sendable, Hashable {
        /// It answers this probe, after this long.
        case answer(Probe, roundTrip: Duration)
        /// It answers a probe whose timeout has passed.
        case late(EndedProbe)
        /// It answers a probe that was answered before.
        case duplicate(EndedProbe)
        /// It answers nobody here.
        case notOurs
    }

    /// Nothing of the probe itself is kept once it has ended: to let go of it seconds later, when its slot is used
    /// again, would fetch it from far away in memory.
    private enum State: Sendable {
        case asked(Probe)
        case answered(EndedProbe)
        case lost(EndedProbe)
        /// The question does not count any more, nor do its answers.
        case void

        var probe: Probe? {
            if case .asked(let probe) = self { probe } else { nil }
        }
    }

    /// There are tens of thousands: the order of the parts is what leaves the fewest gaps.
    private struct Slot: Sendable {
        var state: State
        var sequence: UInt16
        var generation: UInt32
        /// Which line it stands in while it waits.
        var line: UInt32
        /// When it was asked, in nanoseconds, and when it is lost or, once it has ended, forgotten.
        private var askedNanoseconds: Int64
        private var endNanoseconds: Int64
        /// Its neighbours in the queue that it stands in; `Queue.none` where there is none.
        var previous = Queue.none
        var next = Queue.none

        init(probe: Probe, sequence: UInt16, asked: Duration, generation: UInt32, line: Int) {
            state = .asked(probe)
            self.sequence = sequence
            self.generation = generation
            self.line = UInt32(line)
            askedNanoseconds = asked.nanoseconds
            endNanoseconds = (asked + probe.timeout).nanoseconds
        }

        var asked: Duration { .nanoseconds(askedNanoseconds) }

        var end: Duration {
            get { .nanoseconds(endNanoseconds) }
            set { endNanoseconds = newValue.nanoseconds }
        }
    }

    /// Slots in a row, by their neighbours.
    private struct Queue: Sendable {
        static let none = UInt32.max

        private var head = Self.none
        private var tail = Self.none
        private(set) var count = 0

        var first: UInt32? { head == Self.none ? nil : head }

        mutating func append(_ slot: UInt32, in slots: inout [Slot]) {
            slots[Int(slot)].previous = tail
            slots[Int(slot)].next = Self.none
            if tail == Self.none { head = slot } else { slots[Int(tail)].next = slot }
            tail = slot
            count += 1
        }

        mutating func remove(_ slot: UInt32, in slots: inout [Slot]) {
            let (previous, next) = (slots[Int(slot)].previous, slots[Int(slot)].next)
            if previous == Self.none { head = next } else { slots[Int(previous)].next = next }
            if next == Self.none { tail = previous } else { slots[Int(next)].previous = previous }
            count -= 1
        }
    }

    private let process: UInt64
    /// The last request's sequence number: one count for all, so that the number alone says which request an error
    /// message without a cookie is about.
    private var sequence: UInt16 = 0
    /// Which slot used a sequence number last; as long as the largest number so far.
    private var slotOfSequence: [UInt32] = []
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    /// The requests that wait, in a line for each timeout: the one that left first is due first.
    private var lines: [Queue] = []
    private var lineOfTimeout: [Duration: Int] = [:]
    private var latest: (timeout: Duration, line: Int)?
    /// The slots that ended and are remembered still.
    private var ended = Queue()

    /// A table whose cookies carry this number.
    init(process: UInt64 = .random(in: .min ... .max)) {
        self.process = process
    }

    /// The first deadline of an unanswered request.
    var nextDeadline: Duration? {
        var first: Duration?
        for case let slot? in lines.lazy.map(\.first) {
            let deadline = slots[Int(slot)].end
            first = first.map { min($0, deadline) } ?? deadline
        }
        return first
    }

    /// How many requests are remembered.
    var count: Int {
        slots.count - free.count
    }

    /// Remembers a request that leaves at `time`, and says by what its reply is known.
    mutating func ask(_ probe: Probe, at time: Duration) -> (sequence: UInt16, cookie: EchoCookie) {
        sequence &+= 1
        let index = free.popLast() ?? UInt32(slots.count)
        let generation: UInt32
        if Int(index) < slots.count {
            generation = slots[Int(index)].generation &+ 1
        } else {
            generation = 0
        }
        let slot = Slot(
            probe: probe,
            sequence: sequence,
            asked: time,
            generation: generation,
            line: line(of: probe.timeout)
        )
        // A busy table asks at once for all that it will need: to grow step by step takes old and new at the same time.
        if slots.count == 4_096 { slots.reserveCapacity(Self.mostEnded + 8_192) }
        if Int(index) < slots.count { slots[Int(index)] = slot } else { slots.append(slot) }
        lines[Int(slot.line)].append(index, in: &slots)
        let missing = Int(sequence) + 1 - slotOfSequence.count
        if missing > 0 { slotOfSequence += repeatElement(.max, count: missing) }
        slotOfSequence[Int(sequence)] = index
        return (sequence, EchoCookie(process: process, slot: index, generation: generation))
    }

    /// Forgets a request that could not be sent.
    mutating func withdraw(_ cookie: EchoCookie, at time: Duration) {
        guard cookie.process == process, let index = index(of: cookie), slots[index].state.probe != nil else { return }
        end(index, .void, at: time)
    }

    /// When the request of this cookie left; nil if it is no longer remembered.
    func asked(_ cookie: EchoCookie) -> Duration? {
        cookie.process == process ? index(of: cookie).map { slots[$0].asked } : nil
    }

    /// Says what a reply is that is read at `time`.
    mutating func reply(sequence: UInt16, cookie: EchoCookie, from source: IPAddress, at time: Duration) -> Verdict {
        guard cookie.process == process, let index = index(of: cookie) else { return .notOurs }
        guard slots[index].sequence == sequence else { return .notOurs }
        switch slots[index].state {
        case .asked(let probe):
            let ended = EndedProbe(probe)
            guard ended.isAnswered(by: source) else { return .notOurs }
            guard time <= slots[index].end else { return .late(ended) }
            end(index, .answered(ended), at: time)
            return .answer(probe, roundTrip: time - slots[index].asked)
        case .lost(let ended):
            guard ended.isAnswered(by: source) else { return .notOurs }
            slots[index].state = .answered(ended)
            return .late(ended)
        case .answered(let ended):
            return ended.isAnswered(by: source) ? .duplicate(ended) : .notOurs
        case .void:
            return .notOurs
        }
    }

    /// Ends the request that an error message is about, and says whose it was; nil if it is about none that waits.
    mutating func refuse(_ error: EchoError, at time: Duration) -> Probe? {
        let quoted: Int?
        if let cookie = error.cookie {
            quoted = cookie.process == process ? index(of: cookie) : nil
        } else {
            let number = Int(error.sequence)
            let slot = slotOfSequence.indices.contains(number) ? Int(slotOfSequence[number]) : slots.count
            quoted = slots.indices.contains(slot) ? slot : nil
        }
        guard let index = quoted, let probe = slots[index].state.probe, time <= slots[index].end,
            slots[index].sequence == error.sequence, EndedProbe(probe).isAnswered(by: error.destination)
        else { return nil }
        end(index, .lost(EndedProbe(probe)), at: time)
        return probe
    }

    /// Ends the requests whose deadline has passed: they are lost.
    mutating func expire(at time: Duration) -> [Probe] {
        var lost: [Probe] = []
        for line in lines.indices {
            while let first = lines[line].first, slots[Int(first)].end <= time,
                let probe = slots[Int(first)].state.probe
            {
                lost.append(probe)
                end(Int(first), .lost(EndedProbe(probe)), at: time)
            }
        }
        while let first = ended.first, slots[Int(first)].end <= time {
            forget(first)
        }
        return lost
    }

    /// Ends every request under way; nothing is said of them.
    mutating func void(at time: Duration) {
        for index in slots.indices where slots[index].state.probe != nil { end(index, .void, at: time) }
    }

    private func index(of cookie: EchoCookie) -> Int? {
        guard let index = Int(exactly: cookie.slot), slots.indices.contains(index),
            slots[index].generation == cookie.generation
        else { return nil }
        return index
    }

    private mutating func end(_ index: Int, _ state: State, at time: Duration) {
        slots[index].state = state
        slots[index].end = time + Self.memory
        lines[Int(slots[index].line)].remove(UInt32(index), in: &slots)
        ended.append(UInt32(index), in: &slots)
        if ended.count > Self.mostEnded, let first = ended.first { forget(first) }
    }

    private mutating func forget(_ slot: UInt32) {
        ended.remove(slot, in: &slots)
        free.append(slot)
    }

    private mutating func line(of timeout: Duration) -> Int {
        if let latest, latest.timeout == timeout { return latest.line }
        let line = lineOfTimeout[timeout] ?? lines.count
        if line == lines.count {
            lines.append(Queue())
            lineOfTimeout[timeout] = line
        }
        latest = (timeout, line)
        return line
    }
}
