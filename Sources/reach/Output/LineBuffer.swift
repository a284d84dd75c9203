/// Lines on their way to one who reads them, and how many there was no room for.
///
/// What changed has room of its own, so that observations, of which there are many more, cannot take it. One writer takes
/// all that waits at once; whoever makes it necessary is told to start it.
struct LineBuffer: Sendable {
    /// What kind of line it is.
    enum Rank: Sendable, CaseIterable {
        /// Something changed, was run, or is to be known.
        case event
        /// A probe's record.
        case observation
    }

    /// How many lines were dropped.
    struct Losses: Sendable, Hashable {
        var events = 0
        var observations = 0

        /// Whether nothing was.
        var isEmpty: Bool { self == Losses() }
    }

    private let room: [Rank: Int]
    private var used: [Rank: Int] = [:]
    private var bytes: [UInt8] = []
    private var losses = Losses()
    private var lossesTold: Duration?
    private var isWriting = false
    /// Whether lines go nowhere, since they cannot be written any more.
    private(set) var isClosed = false

    /// An empty buffer.
    ///
    /// - Parameter room: how many bytes of lines of each rank may wait. Besides, what the writer has taken is in memory.
    init(room: [Rank: Int] = [.event: 4 << 20, .observation: 8 << 20]) {
        self.room = room
    }

    /// How many bytes wait.
    var count: Int { bytes.count }

    /// Puts a line in, with its end, or drops it where there is no room.
    ///
    /// - Returns: Whether to start the writer.
    mutating func put(_ line: String, as rank: Rank) -> Bool {
        guard !isClosed else { return false }
        let size = line.utf8.count + 1
        guard used[rank, default: 0] + size <= room[rank, default: 0] else {
            switch rank {
            case .event: losses.events += 1
            case .observation: losses.observations += 1
            }
            return false
        }
        bytes.append(contentsOf: line.utf8)
        bytes.append(UInt8(ascii: "\n"))
        used[rank, default: 0] += size
        defer { isWriting = true }
        return !isWriting
    }

    /// Takes all that waits; nil ends the writer.
    mutating func take() -> [UInt8]? {
        guard !bytes.isEmpty, !isClosed else {
            isWriting = false
            return nil
        }
        defer { (bytes, used) = ([], [:]) }
        return bytes
    }

    /// How many lines were dropped and not told of yet; nil when none were.
    ///
    /// - Parameter now: the time, for one who tells of it at once, but not more often than every ten seconds.
    mutating func takeLosses(at now: Duration? = nil) -> Losses? {
        guard !losses.isEmpty else { return nil }
        if let now, let lossesTold, now - lossesTold < .seconds(10) { return nil }
        lossesTold = now
        defer { losses = Losses() }
        return losses
    }

    /// Lets lines go nowhere from now on.
    mutating func close() {
        isClosed = true
        bytes = []
    }
}

extension LineBuffer.Losses: CustomStringConvertible {
    /// `1 event and 512 observations`.
    var description: String {
        let parts = [(events, "event"), (observations, "observation")].filter { $0.0 > 0 }
        return parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
    }
}
