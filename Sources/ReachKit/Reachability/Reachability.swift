import Monitoring
import Probing
import Synchronization

/// Whether somebody can be reached: a host, a server, the internet.
///
/// ```swift
/// let host = Reachability(of: "example.com")
/// if await host.status.isReachable { print("it answers") }
/// for await status in host.changes { print(status) }
/// ```
///
/// An instance asks while somebody wants to know: for as long as a task listens to ``changes``, waits for ``status`` or
/// ``firstVerdict``, or has an operation waiting. Otherwise nothing runs and no socket is open. Any number may ask at a
/// time, of one instance or of several that know nothing of each other.
///
/// One lost packet makes nobody unreachable: the first answer is the verdict that it is there, and it takes as many losses
/// in a row as the target's ``Thresholds`` say, three unless told otherwise, for the other. A host is asked by an ICMP echo
/// request every second. Where the system does not permit that, it is asked by TCP connections to the ports 443, 80
/// and 7, and a connection that is refused counts as an answer: somebody was there to refuse it.
public final class Reachability: Sendable {
    /// What is asked for.
    public let subject: Subject
    let prober: Prober
    let findLink: @Sendable (Appraisal.Way) -> Link
    let state = Mutex(State())

    /// What is asked at present, for whom, and what came of it.
    struct State {
        var asking = Asking.nobody
        /// Tells one asking from the next.
        var number = 0
        var bells: [Int: AsyncStream<Void>.Continuation] = [:]
        var listenerCount = 0
        var lastStatus = Status.unknown
    }

    /// How far the asking is.
    enum Asking {
        /// Nobody wants to know.
        case nobody
        /// The watch begins; this was found meanwhile.
        case beginning([Finding])
        /// It goes on.
        case under(ProberWatch, Appraisal)
    }

    /// Whether a subject can be reached; nobody is asked yet.
    ///
    /// - Parameters:
    ///   - subject: a text such as `"example.com"` or `"tcp://db:5432"`, or another ``Subject``.
    ///   - prober: what asks the network; the one that all share unless given.
    public convenience init(of subject: Subject, by prober: Prober = .shared) {
        self.init(of: subject, by: prober) { Link($0.question.exitKind(address: $0.address)) }
    }

    /// A reachability that finds out by `findLink` which link leads somewhere.
    init(of subject: Subject, by prober: Prober, findLink: @escaping @Sendable (Appraisal.Way) -> Link) {
        self.subject = subject
        self.prober = prober
        self.findLink = findLink
    }

    /// The last verdict, however old it is; ``Status/unknown`` until the first one. Never waits for the network.
    public var lastStatus: Status {
        state.withLock { $0.lastStatus }
    }

    /// The status now: the present one if somebody listens, and the first verdict of a fresh asking otherwise.
    /// ``Status/unknown`` only if the task is cancelled before there is one.
    public var status: Status {
        get async {
            for await _ in listen().bells {
                let status = heard
                if status != .unknown { return status }
            }
            return .unknown
        }
    }

    /// The last verdict if there ever was one, and the first one as soon as there is. ``Status/unknown`` only if the task
    /// is cancelled before.
    public var firstVerdict: Status {
        get async {
            let last = lastStatus
            return last == .unknown ? await status : last
        }
    }

    /// Every change of the status from now on; the first verdict of an asking is a change too.
    ///
    /// Any number of tasks may listen, each for itself. A listener that is slow misses what has passed, never what is.
    public var changes: Changes {
        changes(startingWithCurrent: false)
    }

    /// Every change of the status from now on, and before it the status now if that is wanted: ``Status/unknown`` where
    /// nobody has listened before.
    public func changes(startingWithCurrent: Bool) -> Changes {
        Changes(reachability: self, startsWithCurrent: startingWithCurrent)
    }
}
