/// The last part of what a command wrote, and a little of the first, in bounded memory however much it writes.
public struct OutputTail: Sendable, Hashable {
    /// What the runner keeps of each command.
    public static let defaultCapacity = 64 * 1_024

    /// How many of the first bytes are kept besides: a line or two.
    private static let headCapacity = 1_024

    /// How many bytes are kept at the most.
    public let capacity: Int
    /// How many bytes were written in all.
    private var written = 0
    /// The last bytes, and up to as many again: cutting seldom costs less than shifting with each chunk.
    private var bytes: [UInt8] = []
    private var firstBytes: [UInt8] = []

    /// Nothing written yet.
    ///
    /// - Precondition: `capacity` is positive.
    public init(capacity: Int = Self.defaultCapacity) {
        precondition(capacity > 0, "a tail keeps at least one byte")
        self.capacity = capacity
    }

    /// Takes the next chunk in; the oldest bytes make room for it.
    public mutating func append(_ chunk: some Collection<UInt8>) {
        written += chunk.count
        firstBytes += chunk.prefix(Self.headCapacity - firstBytes.count)
        bytes.append(contentsOf: chunk.suffix(capacity))
        if bytes.count >= 2 * capacity { bytes.removeFirst(bytes.count - capacity) }
    }

    /// How many bytes were written before ``text`` begins.
    public var droppedBytes: Int {
        written - kept.count
    }

    /// What is kept, as text: a character that the cut went through is left out, and what is no UTF-8 elsewhere
    /// becomes U+FFFD.
    public var text: String {
        String(decoding: kept, as: UTF8.self)
    }

    /// How the text begins, which ``text`` may have lost.
    var head: String {
        String(decoding: firstBytes, as: UTF8.self)
    }

    private var kept: ArraySlice<UInt8> {
        let tail = bytes.suffix(capacity)
        guard written > tail.count else { return tail }
        // At most three continuation bytes follow the lead byte of one character; more of them are no UTF-8 anyway.
        let torn = tail.prefix(3).prefix { $0 & 0b1100_0000 == 0b1000_0000 }
        return tail.dropFirst(torn.count)
    }
}
