import Monitoring

/// Which echo request a reply answers.
///
/// A reply counts if its cookie, its sequence number and its source address are those of a request. A request's slot
/// is kept for a while after its end, so that a late or second reply is known for what it is.
struct EchoTable: Sendable {
    /// How long a slot is kept after its probe has ended.
    static let memory = Duration.seconds(10)

    /// What a reply is.
    enum Verdict: Sendable, Hashable {
        /// It answers this probe, after this long.
        case answer(Probe, roundTrip: Duration)
        /// It answers a probe whose timeout has passed.
        case late(Probe)
        /// It answers a probe that was answered before.
        case duplicate(Probe)
        /// It answers nobody here.
        case notOurs
    }

    private enum State: Sendable {
        case asked
        case answered
        case lost
        /// The question does not count any more, nor do its answers.
        case void
    }

    private struct Slot: Sendable {
        var probe: Probe
        var sequence: UInt16
        var asked: Duration
        var state: State
        var generation: UInt32

        var deadline: Duration { asked + probe.timeout }
    }

    private struct Reference: Sendable {
        let slot: UInt32
        let generation: UInt32
    }

    private let process: UInt64
    /// The last request's sequence number: one count for all, so that the number alone says which request an error
    /// message without a cookie is about.
    private var sequence: UInt16 = 0
    private var slotOfSequence: [UInt16: UInt32] = [:]
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private var deadlines = Agenda<Reference>()
    private var retirements = Agenda<Reference>()

    /// A table whose cookies carry this number.
    init(process: UInt64 = .random(in: .min ... .max)) {
        self.process = process
    }

    /// The first deadline of an unanswered request.
    var nextDeadline: Duration? {
        deadlines.next
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
            state: .asked,
            generation: generation
        )
        if Int(index) < slots.count { slots[Int(index)] = slot } else { slots.append(slot) }
        deadlines.add(Reference(slot: index, generation: generation), at: slot.deadline)
        slotOfSequence[sequence] = index
        return (sequence, EchoCookie(process: process, slot: index, generation: generation))
    }

    /// Forgets a request that could not be sent.
    mutating func withdraw(_ cookie: EchoCookie, at time: Duration) {
        guard cookie.process == process, let index = index(of: cookie) else { return }
        end(index, .void, at: time)
        discardEnded()
    }

    /// When the request of this cookie left; nil if it is no longer remembered.
    func asked(_ cookie: EchoCookie) -> Duration? {
        cookie.process == process ? index(of: cookie).map { slots[$0].asked } : nil
    }

    /// Says what a reply is that is read at `time`.
    mutating func reply(sequence: UInt16, cookie: EchoCookie, from source: IPAddress, at time: Duration) -> Verdict {
        guard cookie.process == process, let index = index(of: cookie) else { return .notOurs }
        let slot = slots[index]
        guard slot.sequence == sequence, slot.probe.address?.isAnswered(by: source) == true else { return .notOurs }
        switch slot.state {
        case .asked where time <= slot.deadline:
            end(index, .answered, at: time)
            discardEnded()
            return .answer(slot.probe, roundTrip: time - slot.asked)
        case .asked:
            return .late(slot.probe)
        case .lost:
            slots[index].state = .answered
            return .late(slot.probe)
        case .answered:
            return .duplicate(slot.probe)
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
            quoted = slotOfSequence[error.sequence].map(Int.init)
        }
        guard let index = quoted else { return nil }
        let slot = slots[index]
        guard slot.state == .asked, time <= slot.deadline, slot.sequence == error.sequence,
            slot.probe.address?.isAnswered(by: error.destination) == true
        else { return nil }
        end(index, .lost, at: time)
        discardEnded()
        return slot.probe
    }

    /// Ends the requests whose deadline has passed: they are lost.
    mutating func expire(at time: Duration) -> [Probe] {
        var lost: [Probe] = []
        while let reference = deadlines.take(at: time) {
            let index = Int(reference.slot)
            guard slots[index].generation == reference.generation, slots[index].state == .asked else { continue }
            lost.append(slots[index].probe)
            end(index, .lost, at: time)
        }
        while let reference = retirements.take(at: time) { free.append(reference.slot) }
        discardEnded()
        return lost
    }

    /// Ends every request under way; nothing is said of them.
    mutating func void(at time: Duration) {
        for index in slots.indices where slots[index].state == .asked { end(index, .void, at: time) }
        discardEnded()
    }

    private func index(of cookie: EchoCookie) -> Int? {
        guard let index = Int(exactly: cookie.slot), slots.indices.contains(index),
            slots[index].generation == cookie.generation
        else { return nil }
        return index
    }

    private mutating func end(_ index: Int, _ state: State, at time: Duration) {
        slots[index].state = state
        let reference = Reference(slot: UInt32(index), generation: slots[index].generation)
        retirements.add(reference, at: time + Self.memory)
    }

    private mutating func discardEnded() {
        deadlines.discard { reference in
            let slot = slots[Int(reference.slot)]
            return slot.generation != reference.generation || slot.state != .asked
        }
    }
}
