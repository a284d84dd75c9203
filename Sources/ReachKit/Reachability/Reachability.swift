import Monitoring
import Probing

/// The reachability of a subject: a host, a server, the internet.
///
/// ```swift
/// let host = Reachability(of: "example.com")
/// if await host.status.isReachable { print("it answers") }
/// for await status in host.changes { print(status) }
/// ```
///
/// An instance probes its subject while it has subscribers: while a task iterates over ``changes``, waits for
/// ``status`` or ``firstVerdict``, or has an operation waiting. Otherwise nothing runs and no socket is open. Any
/// number of tasks can use one instance, and several instances do not affect each other.
///
/// The first reply makes a subject reachable. It becomes unreachable after as many losses in a row as the target's
/// ``Thresholds`` say, three by default, so one lost packet does not change the status. A host is probed by an ICMP
/// echo request every second. Where the system does not permit that, it is probed by TCP connections to the ports 443,
/// 80 and 7, and `refused` counts as a reply, because the host is there.
public final class Reachability: Sendable {
    /// The subject that is probed.
    public let subject: Subject
    let prober: Prober
    let subscription: SharedSubscription<ReachabilityModel>

    /// Creates the reachability of a subject. Nothing is probed before it has a subscriber.
    ///
    /// - Parameters:
    ///   - subject: a text such as `"example.com"` or `"tcp://db:5432"`, or another ``Subject``.
    ///   - prober: the prober that probes it; the shared one by default.
    public convenience init(of subject: Subject, by prober: Prober = .shared) {
        self.init(of: subject, by: prober) { Link($0.question.outboundLinkKind(address: $0.address)) }
    }

    /// - Parameter findLink: Returns the link to a destination.
    init(of subject: Subject, by prober: Prober, findLink: @escaping @Sendable (ReachabilityModel.Destination) -> Link)
    {
        self.subject = subject
        self.prober = prober
        let client = prober.makeClient()
        let model = ReachabilityModel(subject, firstID: client.firstID)
        // A slow subscriber needs only the newest status.
        subscription = SharedSubscription(model, on: client, capacity: 1) { model in
            guard let destination = model.unknownRoute else { return nil }
            let link = findLink(destination)
            return { $0.record(link, to: destination) }
        }
    }

    /// The last verdict, however old it is; ``Status/unknown`` until the first one. Never waits for the network.
    public var lastStatus: Status {
        subscription.read { $0.lastStatus }
    }

    /// The status now: the present one while there is a subscriber, otherwise the first verdict of a new run.
    /// ``Status/unknown`` only if the task is cancelled before the verdict.
    public var status: Status {
        get async {
            let statuses = subscription.subscribe { [$0.status] }
            while let status = await statuses.next(isolation: nil) {
                if status != .unknown { return status }
            }
            return .unknown
        }
    }

    /// The last verdict, or the first one as soon as there is one. ``Status/unknown`` only if the task is cancelled
    /// before.
    public var firstVerdict: Status {
        get async {
            let last = lastStatus
            return last == .unknown ? await status : last
        }
    }

    /// Every change of the status from now on. The first verdict of a run is a change too.
    ///
    /// Any number of tasks can subscribe. A slow subscriber misses earlier changes, never the newest one.
    public var changes: Changes {
        changes(startingWithCurrent: false)
    }

    /// Every change of the status from now on.
    ///
    /// - Parameter startingWithCurrent: whether the present status comes first: ``Status/unknown`` where there was no
    ///   subscriber before.
    public func changes(startingWithCurrent: Bool) -> Changes {
        Changes(reachability: self, startsWithCurrent: startingWithCurrent)
    }
}
