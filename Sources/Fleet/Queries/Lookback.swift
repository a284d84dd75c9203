/// The search for vantage points that ended in the hour before the program began: otherwise, nothing would say that they are
/// missing. It is made once, after all targets of the server were read, and only for fleets that are read as a whole.
enum Lookback: Sendable, Hashable {
    /// The targets were not read yet.
    case waiting
    /// The vantage points of the last hour are to be asked for.
    case due
    /// They were asked for.
    case asked
    /// The targets of these vantage points are to be read.
    case found([VantageEnd])

    /// A vantage point that has ended, and when it reported last, in seconds since 1970.
    struct VantageEnd: Sendable, Hashable {
        let name: String
        let time: Double
    }

    /// Nothing is left to do.
    static let done = Lookback.found([])

    /// The query to send; nil if there is none now.
    var purpose: PlannedQuery.Purpose? {
        switch self {
        case .due: .earlierReports
        case .found(let ends): ends.first.map { .ended(vantagePoint: $0.name, at: $0.time) }
        case .waiting, .asked: nil
        }
    }

    /// Records that the query is sent.
    mutating func begin() {
        switch self {
        case .due: self = .asked
        case .found(let ends): self = .found(Array(ends.dropFirst()))
        case .waiting, .asked: break
        }
    }
}
