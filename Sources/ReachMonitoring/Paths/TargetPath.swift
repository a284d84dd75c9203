/// How the path to a target is traced by itself: in an interval, and at once when the target loses probes.
package struct PathSettings: Sendable, Hashable {
    /// The interval of settings that set none.
    package static let defaultInterval = Duration.seconds(600)

    /// The time from one trace to the next.
    package var interval = Self.defaultInterval
    /// The method of the probes; nil for that of the target.
    package var method: PathMethod?
    /// The number of the last hop that is probed.
    package var maxHops = 30

    /// The settings of a target without the key.
    package init() {}
}

/// The settings of all paths.
package struct PathsSettings: Sendable, Hashable {
    /// The most probes a second for traces, beside those of a path that is shown; nil for ten, or a sixtieth of the number
    /// of paths if that is more.
    package var rate: Int?
    /// The autonomous systems of addresses; nil without a file.
    package var systems: AutonomousSystems?

    /// The settings of a file without the table.
    package init() {}
}

/// A message of the tracer of paths.
public enum PathFinding: Sendable, Hashable {
    /// A trace is done.
    case traced(PathCompletion)
    /// Another router answers at a hop.
    case changed(PathChange)
    /// Whether a hop has answered since a time, as ``PathOrder/confirm(_:hop:since:)`` asked.
    case confirmed(hop: String, answered: Bool)
}

/// The path to a target as a trace found it.
public struct TracedPath: Sendable, Hashable, Codable {
    /// Where the path ends.
    public let end: PathEnd
    /// The addresses of the hops, the first router first; nil for a hop that does not answer, or was not probed.
    public let hops: [String?]
    /// The hops when another path reached the target last; empty if none did.
    public let before: [String?]

    /// Creates a path.
    public init(end: PathEnd, hops: [String?], before: [String?] = []) {
        (self.end, self.hops, self.before) = (end, hops, before)
    }
}

/// News about the path to a target.
public enum PathNews: Sendable, Hashable {
    /// Where the path ends while the target is down.
    case ended(TracedPath)
    /// Another router answers at a hop.
    case changed(PathChange)
}

/// What the roster keeps of the path to a target.
struct TargetPath: Sendable, Hashable {
    /// The address that is traced; nil while none is.
    var address: String?
    /// What the newest trace found, and when; nil before the first.
    var newest: TracedPath?
    var newestTime = Duration.zero
    /// The hops when the path reached the target last before the start of the program; empty if that is not known.
    var restored: [String?] = []
    /// When that trace began.
    var newestStarted: Duration = .nanoseconds(Int64.min)
    /// What the newest trace found that is in the history.
    var recorded: TracedPath?
    /// What the trace found that began in the present or the last outage; nil if it is not done.
    var outage: TracedPath?
    /// When that trace began.
    var outageTraced = Duration.zero
    /// When the target's losses last asked for a trace.
    var asked: Duration?
    /// Where the path ends by the report on the present outage.
    var reported: PathEnd?
    /// The number of changes, and the time of the newest.
    var changes = 0
    var changed: Duration?
    /// The hop of the newest change.
    var changedHop: Int?
    /// When the newest trace that found another path ended, and the one before it: the path changed in between.
    var changeSpan: ClosedRange<Duration>?
}

extension TargetPath {
    /// The routers on the way to the target when a trace reached it last; empty if that is not known.
    var hopsToTarget: [String?] {
        guard let newest else { return restored.last == address ? restored.dropLast() : [] }
        return (newest.end.isReached ? newest.hops : newest.before).dropLast()
    }

    /// The time in which a change happened that is reported at a time: some probes later, and mostly after a trace that found
    /// it too.
    func span(of change: PathChange, at time: Duration) -> ClosedRange<Duration> {
        let isOlder = newest.map {
            $0.hops.indices.contains(change.hop - 1) && $0.hops[change.hop - 1] == change.before
        }
        if isOlder != true, let changeSpan { return changeSpan }
        return isOlder == true ? newestTime...max(newestTime, time) : time...time
    }

    /// Creates the path that the history has.
    init(_ stored: StoredPath) {
        (newest, newestTime) = (stored.path, stored.time)
        (outage, outageTraced) = (stored.path, stored.time)
    }
}

/// A request of the roster to the tracer of paths.
package enum PathOrder: Sendable, Hashable {
    /// Trace the path to a destination by these settings from now on.
    case trace(Target.ID, PathDestination, PathSettings)
    /// Trace the path at once.
    case now(Target.ID)
    /// Trace the path as soon as other traces permit.
    case soon(Target.ID)
    /// Find out whether this router on the path has answered a probe that was sent at this time or later.
    case confirm(Target.ID, hop: String, since: Duration)
    /// Trace these paths no longer.
    case end([Target.ID])
}

extension Roster {
    /// The time from one trace that losses ask for to the next, while the target is not down.
    private static let suspicionPause = Duration.seconds(60)
    /// The time within which changes of several hops are one change of the path.
    private static let changeSpan = Duration.seconds(60)

    /// Traces the path to the address that a target was probed at, if it is a new one.
    mutating func followAddress(of position: Int, into consequences: inout Consequences) {
        guard states[position].target.path != nil, let address = states[position].address,
            states[position].path?.address != address
        else { return }
        tracePath(of: position, into: &consequences)
    }

    /// Traces the path to a target by its present settings, or ends that.
    mutating func tracePath(of position: Int, into consequences: inout Consequences) {
        let (id, target) = (states[position].id, states[position].target)
        guard let settings = target.path, !states[position].isPaused, let address = states[position].address else {
            return endPath(of: position, into: &consequences)
        }
        states[position].changePath { $0.address = address }
        if let destination = target.pathDestination(at: address, by: settings) {
            consequences.paths.append(.trace(id, destination, settings))
        }
    }

    /// Traces the path to a target no longer.
    mutating func endPath(of position: Int, into consequences: inout Consequences) {
        guard states[position].path?.address != nil else { return }
        states[position].changePath { $0.address = nil }
        consequences.paths.append(.end([states[position].id]))
    }

    /// Asks for a trace at the first loss in a row, so that the path is known when the target is down. At most once a
    /// minute: single losses are frequent.
    mutating func suspectPath(of position: Int, at time: Duration, into consequences: inout Consequences) {
        guard let path = states[position].path, path.address != nil, states[position].judge.isFirstLoss,
            states[position].health != .down, path.asked.map({ time - $0 >= Self.suspicionPause }) ?? true
        else { return }
        askForPath(of: position, at: time, into: &consequences)
    }

    /// Asks for a trace at once.
    mutating func askForPath(of position: Int, at time: Duration, into consequences: inout Consequences) {
        states[position].changePath { $0.asked = time }
        consequences.paths.append(.now(states[position].id))
    }

    /// Adds where the path ends to a transition to down, as far as it was traced since the outage began. Otherwise, and after
    /// an outage, asks for a trace.
    mutating func withPath(
        _ transition: Transition,
        of position: Int,
        into consequences: inout Consequences
    ) -> Transition {
        guard let path = states[position].path, path.address != nil else { return transition }
        guard transition.to == .down else {
            if transition.to.isReachable, path.newest?.end.isReached == false {
                askForPath(of: position, at: transition.time, into: &consequences)
            } else if transition.from == .down {
                // The way and its losses may be others since.
                consequences.paths.append(.soon(states[position].id))
            }
            return transition
        }
        let found = path.outageTraced >= transition.began ? path.outage : nil
        let outage = found.flatMap { $0.end.isRefuted(by: transition.failure) ? nil : $0 }
        states[position].changePath { path in
            path.outage = outage
            path.reported = outage?.end
        }
        if path.asked.map({ $0 < transition.began }) ?? true {
            askForPath(of: position, at: transition.time, into: &consequences)
        }
        return outage.map(transition.with) ?? transition
    }

    /// Records a message of the tracer.
    mutating func record(
        _ finding: PathFinding,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        guard states[position].path?.address != nil else { return }
        switch finding {
        case .traced(let completion): record(completion, at: time, of: position, into: &consequences)
        case .confirmed(let hop, let answered): causes?.noteAnswer(of: hop, answered)
        case .changed(let change):
            let isNew = states[position].path?.changed.map { time - $0 >= Self.changeSpan } ?? true
            guard change.flow == 0, isNew else { return }
            states[position].changePath { path in
                path.changes += 1
                (path.changed, path.changedHop, path.changeSpan) = (time, change.hop, path.span(of: change, at: time))
            }
            relateShift(of: position, at: time)
            report(.changed(change), of: position, at: time, into: &consequences)
        }
    }

    private mutating func record(
        _ completion: PathCompletion,
        at time: Duration,
        of position: Int,
        into consequences: inout Consequences
    ) {
        states[position].changePath { $0.newestStarted = completion.started }
        guard completion.end != .notSent, let path = states[position].path else { return }
        let last = path.newest
        let found = TracedPath(end: completion.end, hops: completion.hops)
        let isSame = found.end.isReached && !found.differs(from: last)
        // A name may have another address since.
        let restored = !found.end.isReached && path.restored.last == path.address ? path.restored : []
        let before = last.map { $0.end.isReached && !isSame ? $0.hops : $0.before } ?? restored
        let traced = TracedPath(end: found.end.with(before: before), hops: found.hops, before: before)
        let isDown = states[position].health == .down
        let isNews = isDown && path.reported != traced.end && !traced.end.isRefuted(by: states[position].failure)
        states[position].changePath { path in
            if last != nil, traced.differs(from: last) {
                path.changeSpan = path.newestTime...max(path.newestTime, time)
            }
            (path.newest, path.newestTime) = (traced, time)
            if completion.cause == .down || isDown { (path.outage, path.outageTraced) = (traced, completion.started) }
            if isNews { path.reported = traced.end }
        }
        if traced.differs(from: path.recorded) {
            states[position].changePath { $0.recorded = traced }
            consequences.traced.append(TracedTarget(target: states[position].id, found: StoredPath(traced, at: time)))
            remember(position, at: time)
        } else if isDown {
            remember(position, at: time)
        }
        if traced.end.isReached, !isSame { causes?.noteRisks(of: states[position].id) }
        if isNews { report(.ended(traced), of: position, at: time, into: &consequences) }
        if completion.cause == .down {
            askForOthers(endingAt: traced.end, since: completion.started, at: time, into: &consequences)
        }
        followTrace(traced, started: completion.started, of: position, at: time, into: &consequences)
    }

    private mutating func report(
        _ news: PathNews,
        of position: Int,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        guard states[position].isProbed else { return }
        // An end is as short-lived as the outage. The details have it.
        if case .ended = news, states[position].isFlapping { return }
        consequences.report(.path(news), of: [states[position].id], at: time)
        firePathHooks(of: position, on: news, at: time, into: &consequences)
    }
}

extension TargetState {
    /// Changes what is kept of the path.
    mutating func changePath(_ body: (inout TargetPath) -> Void) {
        var path = path ?? TargetPath()
        body(&path)
        self.path = path
    }

    /// The path as the newest trace found it; nil before the first.
    package var tracedPath: TracedPath? { path?.newest }

    /// The path as it was traced in the present outage; nil if that is not done, and for a target that is not down.
    package var outagePath: TracedPath? {
        guard health == .down, let path, path.outageTraced >= judge.since else { return nil }
        return path.outage
    }

    /// How often another router answered at a hop.
    package var pathChanges: Int { path?.changes ?? 0 }
}

extension Target {
    /// Whether the path to the target can be traced: packets leave this machine, by its usual way.
    package var hasPath: Bool {
        guard source == nil, question.pathMethod != nil, let host = question.host else { return false }
        if case .http(let question) = question, question.proxy != nil { return false }
        return AddressScope(host) != .thisMachine && host != "localhost" && !host.hasSuffix(".localhost")
    }

    /// The target with the default settings of its path, if it has one.
    package var withPath: Target {
        var target = self
        target.path = hasPath ? PathSettings() : nil
        return target
    }

    /// Where the probes of the path to an address go; nil if no packet leaves this machine.
    func pathDestination(at address: String, by settings: PathSettings) -> PathDestination? {
        guard let own = question.pathMethod, AddressScope(address) != .thisMachine else { return nil }
        let method = settings.method ?? own.method
        let port = own.port > 0 ? own.port : method.defaultPort
        return PathDestination(address: address, method: method, port: method == .icmp ? 0 : port)
    }
}

extension PathEnd {
    /// Whether a router that did not answer the trace reported the losses of the target: it limits its answers, and the path
    /// does not end before it.
    func isRefuted(by failure: Failure?) -> Bool {
        guard let reporter = failure?.reporter else { return false }
        return switch self {
        case .silent(_, let address, _), .limited(_, let address): address != reporter
        case .nothing: true
        case .notSent, .reached, .reachedElsewhere, .refused, .unreachable, .loop: false
        }
    }
}

extension PathEnd {
    /// The end with the length of the path before, if the tracer does not know it: it was restarted.
    fileprivate func with(before hops: [String?]) -> PathEnd {
        guard case .silent(let hop, let address, nil) = self, hops.count > hop else { return self }
        return .silent(hop: hop, address: address, length: hops.count)
    }
}
