import ReachMonitoring

/// The table of echo requests that matches replies to them.
///
/// A reply counts if its cookie, its sequence number and its source address match those of a request. A reply from another
/// address is the reason of the loss. A request's slot is kept for a while after its end, so that late and duplicate
/// replies are recognized.
struct EchoTable: Sendable {
    /// How long a slot is kept after its probe has ended.
    static let retention = Duration.seconds(10)
    /// The maximum number of slots kept after their probes have ended: three seconds at ten thousand replies a second.
    static let maxEnded = 1 << 15

    /// The classification of a reply.
    enum Verdict: Sendable, Hashable {
        /// The reply to this probe, after this round trip.
        case reply(Probe, roundTrip: Duration)
        /// A reply to a probe whose timeout has passed.
        case late(WatchID, roundTrip: Duration, sent: Duration)
        /// A further reply to a probe that already has one.
        case duplicate(WatchID)
        /// A reply to no request of this table.
        case unmatched
    }

    /// The probe itself is not kept once it has ended: releasing it seconds later, when its slot is used again, would
    /// be a cache miss.
    private enum State: Sendable {
        case pending(Probe)
        case answered(WatchID, IPAddress?)
        case lost(WatchID, IPAddress?)
        /// The request is discarded, and so are its replies.
        case discarded

        var probe: Probe? {
            if case .pending(let probe) = self { probe } else { nil }
        }
    }

    /// There are tens of thousands of slots: the order of the properties leaves the fewest gaps.
    private struct Slot: Sendable {
        var state: State
        var sequence: UInt16
        var generation: UInt32
        /// The index of its queue while it waits.
        var queue: UInt32
        /// When the request was sent, in nanoseconds; and when it is lost or, once it has ended, forgotten.
        private var sentNanoseconds: Int64
        private var endNanoseconds: Int64
        /// Its neighbours in its queue; `Queue.none` if there is none.
        var previous = Queue.none
        var next = Queue.none

        init(probe: Probe, sequence: UInt16, sent: Duration, generation: UInt32, queue: Int) {
            state = .pending(probe)
            self.sequence = sequence
            self.generation = generation
            self.queue = UInt32(queue)
            sentNanoseconds = sent.nanoseconds
            endNanoseconds = (sent + probe.timeout).nanoseconds
        }

        var sent: Duration { .nanoseconds(sentNanoseconds) }

        var end: Duration {
            get { .nanoseconds(endNanoseconds) }
            set { endNanoseconds = newValue.nanoseconds }
        }
    }

    /// A doubly linked list of slots.
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
    /// The last request's sequence number. One counter for all requests, so that the number alone identifies the
    /// request of an error message without a cookie.
    private var sequence: UInt16 = 0
    /// The last slot of each sequence number; as long as the largest number so far.
    private var slotOfSequence: [UInt32] = []
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    /// The pending requests, in a queue for each timeout: the first sent is the first to expire.
    private var queues: [Queue] = []
    private var queueOfTimeout: [Duration: Int] = [:]
    private var lastUsed: (timeout: Duration, queue: Int)?
    /// The slots that are kept after their end.
    private var ended = Queue()
    /// The sources of replies from other addresses than the probed one, by the slots of pending requests. Rare, so not in the
    /// slots themselves.
    private var otherSources: [Int: IPAddress] = [:]

    /// Creates a table whose cookies carry this number.
    init(process: UInt64 = .random(in: .min ... .max)) {
        self.process = process
    }

    /// The earliest deadline of a pending request.
    var nextDeadline: Duration? {
        var first: Duration?
        for case let slot? in queues.lazy.map(\.first) {
            let deadline = slots[Int(slot)].end
            first = first.map { min($0, deadline) } ?? deadline
        }
        return first
    }

    /// The number of requests in the table.
    var count: Int {
        slots.count - free.count
    }

    /// Adds a request that is sent at `time`. Returns the sequence number and cookie that identify its reply.
    mutating func add(_ probe: Probe, at time: Duration) -> (sequence: UInt16, cookie: EchoCookie) {
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
            sent: time,
            generation: generation,
            queue: queue(of: probe.timeout)
        )
        // A busy table reserves its final size at once: growing in steps needs memory for the old and new storage.
        if slots.count == 4_096 { slots.reserveCapacity(Self.maxEnded + 8_192) }
        if Int(index) < slots.count { slots[Int(index)] = slot } else { slots.append(slot) }
        queues[Int(slot.queue)].append(index, in: &slots)
        let missing = Int(sequence) + 1 - slotOfSequence.count
        if missing > 0 { slotOfSequence += repeatElement(.max, count: missing) }
        slotOfSequence[Int(sequence)] = index
        return (sequence, EchoCookie(process: process, slot: index, generation: generation))
    }

    /// Discards a request that could not be sent.
    mutating func withdraw(_ cookie: EchoCookie, at time: Duration) {
        guard cookie.process == process, let index = index(of: cookie), slots[index].state.probe != nil else { return }
        end(index, .discarded, at: time)
    }

    /// Returns when the request of this cookie was sent; nil if it is no longer in the table.
    func sendTime(of cookie: EchoCookie) -> Duration? {
        cookie.process == process ? index(of: cookie).map { slots[$0].sent } : nil
    }

    /// Classifies a reply that arrived at `time`.
    mutating func reply(sequence: UInt16, cookie: EchoCookie, from source: IPAddress, at time: Duration) -> Verdict {
        guard cookie.process == process, let index = index(of: cookie) else { return .unmatched }
        guard slots[index].sequence == sequence else { return .unmatched }
        switch slots[index].state {
        case .pending(let probe):
            guard probe.address.isAnswered(by: source) else {
                if time <= slots[index].end { otherSources[index] = source }
                return .unmatched
            }
            let watch = probe.watch
            guard time <= slots[index].end else { return late(watch, index, at: time) }
            end(index, .answered(watch, probe.address), at: time)
            return .reply(probe, roundTrip: time - slots[index].sent)
        case .lost(let watch, let address):
            guard address.isAnswered(by: source) else { return .unmatched }
            slots[index].state = .answered(watch, address)
            return late(watch, index, at: time)
        case .answered(let watch, let address):
            return address.isAnswered(by: source) ? .duplicate(watch) : .unmatched
        case .discarded:
            return .unmatched
        }
    }

    private func late(_ watch: WatchID, _ index: Int, at time: Duration) -> Verdict {
        .late(watch, roundTrip: time - slots[index].sent, sent: slots[index].sent)
    }

    /// Ends the request of an error message. Returns its probe; nil if the message is about no pending request.
    mutating func fail(_ error: EchoError, at time: Duration) -> Probe? {
        let quoted: Int?
        if let cookie = error.cookie {
            quoted = cookie.process == process ? index(of: cookie) : nil
        } else {
            let number = Int(error.sequence)
            let slot = slotOfSequence.indices.contains(number) ? Int(slotOfSequence[number]) : slots.count
            quoted = slots.indices.contains(slot) ? slot : nil
        }
        guard let index = quoted, let probe = slots[index].state.probe, time <= slots[index].end,
            slots[index].sequence == error.sequence, probe.address.isAnswered(by: error.destination)
        else { return nil }
        end(index, .lost(probe.watch, probe.address), at: time)
        return probe
    }

    /// Ends the requests whose deadline has passed. Returns their probes, which are lost, and the outcomes: a timeout, or
    /// a reply from another address.
    mutating func expire(at time: Duration) -> [(probe: Probe, outcome: Outcome)] {
        var lost: [(probe: Probe, outcome: Outcome)] = []
        for queue in queues.indices {
            while let first = queues[queue].first, slots[Int(first)].end <= time,
                let probe = slots[Int(first)].state.probe
            {
                let failure = otherSources[Int(first)].map(Failure.init(answeredFrom:))
                lost.append((probe, failure.map { .failure($0) } ?? .timeout))
                end(Int(first), .lost(probe.watch, probe.address), at: time)
            }
        }
        while let first = ended.first, slots[Int(first)].end <= time {
            forget(first)
        }
        return lost
    }

    /// Discards every pending request, without a report.
    mutating func discardInFlight(at time: Duration) {
        for index in slots.indices where slots[index].state.probe != nil { end(index, .discarded, at: time) }
    }

    private func index(of cookie: EchoCookie) -> Int? {
        guard let index = Int(exactly: cookie.slot), slots.indices.contains(index),
            slots[index].generation == cookie.generation
        else { return nil }
        return index
    }

    private mutating func end(_ index: Int, _ state: State, at time: Duration) {
        slots[index].state = state
        slots[index].end = time + Self.retention
        if !otherSources.isEmpty { otherSources[index] = nil }
        queues[Int(slots[index].queue)].remove(UInt32(index), in: &slots)
        ended.append(UInt32(index), in: &slots)
        if ended.count > Self.maxEnded, let first = ended.first { forget(first) }
    }

    private mutating func forget(_ slot: UInt32) {
        ended.remove(slot, in: &slots)
        free.append(slot)
    }

    private mutating func queue(of timeout: Duration) -> Int {
        if let lastUsed, lastUsed.timeout == timeout { return lastUsed.queue }
        let queue = queueOfTimeout[timeout] ?? queues.count
        if queue == queues.count {
            queues.append(Queue())
            queueOfTimeout[timeout] = queue
        }
        lastUsed = (timeout, queue)
        return queue
    }
}

extension IPAddress? {
    /// Whether a reply from `source` can belong to a probe of this address.
    fileprivate func isAnswered(by source: IPAddress) -> Bool {
        self?.isAnswered(by: source) == true
    }
}
