/// A bounded buffer of lines for one writer. It counts the lines that it drops.
///
/// Events and observations have separate capacities, so that the many observations cannot displace events. The writer
/// drains all waiting lines at once; ``append(_:as:)`` returns whether to start it.
struct LineBuffer: Sendable {
    /// The kind of a line.
    enum Kind: Sendable, CaseIterable {
        /// A transition, a hook run or a message.
        case event
        /// The record of a probe.
        case observation
    }

    /// The numbers of dropped lines.
    struct DropCounts: Sendable, Hashable {
        var events = 0
        var observations = 0

        /// Whether no lines were dropped.
        var isEmpty: Bool { self == DropCounts() }
    }

    private let capacity: [Kind: Int]
    private var used: [Kind: Int] = [:]
    private var bytes: [UInt8] = []
    private var dropCounts = DropCounts()
    private var lastDropReport: Duration?
    private var isWriting = false
    /// The numbers of the corks in place: no line is drained meanwhile.
    private var corks: Set<Int> = []
    private var lastCork = 0
    /// Whether the last cork expired. Until one is removed in time, further ones have no effect.
    private var hasExpired = false
    /// Whether the buffer discards all lines, since they cannot be written any more.
    private(set) var isClosed = false

    /// Creates an empty buffer.
    ///
    /// - Parameter capacity: The maximum number of waiting bytes of each kind. The lines that the writer has drained are not
    ///   counted, but are in memory as well.
    init(capacity: [Kind: Int] = [.event: 4 << 20, .observation: 8 << 20]) {
        self.capacity = capacity
    }

    /// The number of waiting bytes.
    var count: Int { bytes.count }

    /// Appends a line and a newline, or drops the line if the buffer is full.
    ///
    /// - Returns: Whether to start the writer.
    mutating func append(_ line: String, as kind: Kind) -> Bool {
        guard !isClosed else { return false }
        let size = line.utf8.count + 1
        guard used[kind, default: 0] + size <= capacity[kind, default: 0] else {
            switch kind {
            case .event: dropCounts.events += 1
            case .observation: dropCounts.observations += 1
            }
            return false
        }
        bytes.append(contentsOf: line.utf8)
        bytes.append(UInt8(ascii: "\n"))
        used[kind, default: 0] += size
        return startsWriter()
    }

    /// Stops draining lines.
    ///
    /// - Returns: The number of the cork, for ``uncork(_:isExpired:)``.
    mutating func cork() -> Int {
        lastCork += 1
        if !hasExpired, !isClosed { corks.insert(lastCork) }
        return lastCork
    }

    /// Removes a cork.
    ///
    /// - Parameter isExpired: Whether its time is over. Then further corks have no effect until one is removed in time.
    /// - Returns: Whether to start the writer.
    mutating func uncork(_ cork: Int, isExpired: Bool = false) -> Bool {
        if !isExpired { hasExpired = false }
        guard corks.remove(cork) != nil else { return false }
        if isExpired { hasExpired = true }
        return !bytes.isEmpty && !isClosed && startsWriter()
    }

    private mutating func startsWriter() -> Bool {
        guard corks.isEmpty, !isWriting else { return false }
        isWriting = true
        return true
    }

    /// Removes and returns all waiting lines; nil ends the writer.
    mutating func drain() -> [UInt8]? {
        guard !bytes.isEmpty, !isClosed, corks.isEmpty else {
            isWriting = false
            return nil
        }
        defer { (bytes, used) = ([], [:]) }
        return bytes
    }

    /// Returns and resets the numbers of lines dropped since the last report; nil if there are none.
    ///
    /// - Parameter now: The current time, which limits reports to one every ten seconds; nil for no limit.
    mutating func nextDropReport(at now: Duration? = nil) -> DropCounts? {
        guard !dropCounts.isEmpty else { return nil }
        if let now, let lastDropReport, now - lastDropReport < .seconds(10) { return nil }
        lastDropReport = now
        defer { dropCounts = DropCounts() }
        return dropCounts
    }

    /// Discards all waiting and future lines.
    mutating func close() {
        isClosed = true
        bytes = []
    }
}

extension LineBuffer.DropCounts: CustomStringConvertible {
    /// `1 event and 512 observations`.
    var description: String {
        let parts = [(events, "event"), (observations, "observation")].filter { $0.0 > 0 }
        return parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
    }
}
