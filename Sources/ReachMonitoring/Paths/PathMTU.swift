/// The search for the largest packet that reaches the destination: the path MTU (RFC 1191, RFC 8201).
///
/// Packets are sent with "don't fragment", the largest first. A router reports the size that its next link carries.
/// Where a router drops large packets without a report, the search goes on with smaller sizes, and the path has a
/// hole.
public struct PathMTU: Sendable, Hashable {
    /// The size that the search begins with.
    public static let largest = 1_500
    /// The smallest MTU of a link (RFC 791, section 3.2), and of one that carries IPv6 (RFC 8200, section 5).
    static let smallest = 68
    static let smallestIPv6 = 1_280
    private static let tries = 3
    /// The sizes to try where a router reports none: the usual MTUs of links (RFC 1191, section 7.1), and those of
    /// IPv6 and tunnels.
    private static let usual = [1_492, 1_480, 1_460, 1_420, 1_400, 1_280, 1_006, 576, 508, 296, 68]

    /// The largest size in bytes that reached the destination; nil before.
    public private(set) var size: Int?
    /// The router that reported the smallest size; nil if none did.
    public private(set) var reporter: String?
    /// The smallest size that vanished without a report; nil if none did.
    private var vanished: Int?
    /// Whether large packets vanish without a report.
    public var hasHole: Bool { vanished != nil }
    /// The size to try.
    private(set) var candidate = Self.largest
    private var losses = 0
    /// Whether the search is over.
    private(set) var isDone = false

    init() {}

    /// Records that a packet of this size reached the destination.
    mutating func recordArrival(size: Int) {
        guard !isDone, size == candidate else { return }
        (self.size, isDone) = (size, true)
    }

    /// Records a report. Zero stands for a size that is not reported.
    mutating func recordTooBig(size: Int, mtu: Int, from source: String) {
        guard !isDone, size == candidate else { return }
        reporter = source
        losses = 0
        if mtu >= Self.smallest, mtu < candidate { candidate = mtu } else { tryNext() }
    }

    /// Records a lost packet.
    mutating func recordLoss(size: Int) {
        guard !isDone, size == candidate else { return }
        losses += 1
        guard losses >= Self.tries else { return }
        (losses, vanished) = (0, size)
        tryNext()
    }

    /// What is known about the largest packet, in words; nil if all usual ones reach the destination, or it is not known.
    package var text: String? {
        guard let size else {
            return vanished.map { "packets of \($0) bytes vanish without a report" }
        }
        guard hasHole || size < Self.largest else { return nil }
        let reporter = reporter.map { ", says \($0)" } ?? ""
        return "packets of at most \(size) bytes\(reporter)\(hasHole ? "; larger ones vanish without a report" : "")"
    }

    private mutating func tryNext() {
        guard let next = Self.usual.first(where: { $0 < candidate }) else {
            isDone = true
            return
        }
        candidate = next
    }
}
