public import Monitoring
import Synchronization

/// A TCP connection that is held for as long as anybody wants to know how it stands, and made again whenever it ends.
///
/// ```swift
/// for await state in Session(to: "example.com", port: 443).states {
///     print(state)  // setup, preparing, ready: 192.0.2.1 …
/// }
/// ```
///
/// Nothing is sent unless ``Options`` say so, but for the questions by which the kernel finds out that a silent peer is gone
/// (RFC 9293 §3.8.4). A connection that ends is made again after a random pause below a limit that doubles, from half a
/// second to the interval; when this machine finds a way out again, or the peer's host is heard on the local network, at once. A name that does not exist is looked up
/// again every second.
///
/// The connection stands while at least one task listens to ``states``: it is closed at once when the last of them ends or is
/// cancelled, and the next listener begins anew.
public final class Session: Sendable {
    /// The name or numeric address of the peer.
    public let host: String
    /// The peer's port.
    public let port: UInt16
    private let target: Target
    private let watch: ProberWatch
    private let work = Mutex(Work())

    private struct Work {
        var course = SessionCourse()
        var audience = Audience<State>()
        /// How often the asking has begun or ended: what an earlier one finds is nobody's.
        var runs = 0
        var isRunning = false
    }

    /// A session that begins when somebody listens to its ``states``.
    ///
    /// - Parameters:
    ///   - host: a name or a numeric address, an IPv6 address with or without brackets.
    ///   - port: the TCP port.
    ///   - options: what is said on the connection and how its end is judged; by default nothing is said.
    ///   - interval: the time from one heartbeat to the next, where the options have one.
    ///   - timeout: how long it may take to look the name up and to connect, and how long the answer to a heartbeat.
    ///   - family: by which address family; whichever the resolver prefers (RFC 6724) unless given.
    ///   - prober: what holds the connection.
    public init(
        to host: String,
        port: UInt16,
        options: Options = Options(),
        interval: Duration = .seconds(5),
        timeout: Duration = .seconds(5),
        family: Family = .any,
        by prober: Prober = .shared
    ) {
        let isBracketed = host.first == "[" && host.last == "]"
        self.host = isBracketed ? String(host.dropFirst().dropLast()) : host
        self.port = port
        watch = prober.reserve()
        let question = Question.session(host: self.host, port: port, options)
        target = Target(
            name: question.authority,
            question: question,
            family: family,
            interval: interval,
            timeout: timeout,
            retryInterval: min(interval, .seconds(1)),
            downInterval: interval,
            spread: 0
        )
    }

    /// Where the session stands now; never waits for the network.
    public var state: State {
        work.withLock { $0.course.state }
    }

    /// Whether the connection stands now; never waits for the network.
    public var isOnline: Bool {
        work.withLock { $0.course.isOnline }
    }

    /// Ends the session for good: the connection is closed, and every listener is told ``State/cancelled`` and nothing more.
    public func cancel() {
        let audience = work.withLock { work in
            if let state = work.course.cancel() { work.audience.tell([state]) }
            stop(&work)
            defer { work.audience = Audience() }
            return work.audience
        }
        audience.finish()
    }

    // MARK: Listeners

    func listen() -> Inbox<State>.Reader {
        let number = work.withLock { $0.audience.nextNumber() }
        // Whoever listens keeps the session alive.
        let (inbox, reader) = Inbox<State>.open(room: States.room) { self.leave(number) }
        let isOver = work.withLock { work in
            inbox.leave([work.course.state])
            guard work.course.state != .cancelled else { return true }
            work.audience.add(inbox, as: number)
            start(&work)
            return false
        }
        if isOver { inbox.finish() }
        return reader
    }

    private func leave(_ number: Int) {
        work.withLock { work in
            work.audience.remove(number)
            guard work.audience.isEmpty else { return }
            stop(&work)
            work.course.end()
        }
    }

    // MARK: The connection

    private func start(_ work: inout Work) {
        guard let state = work.course.begin() else { return }
        work.audience.tell([state])
        work.isRunning = true
        work.runs += 1
        let link = watch.prober.begin(watch) { [weak self, run = work.runs] in self?.hear($0, in: run) }
        if let link { _ = work.course.record(link) }
        watch.perform([.watch([ProbeRequest.Assignment(id: id, target: target)])])
    }

    private func stop(_ work: inout Work) {
        guard work.isRunning else { return }
        work.isRunning = false
        work.runs += 1
        watch.end(asking: [id])
    }

    private func hear(_ findings: [Finding], in run: Int) {
        let audience = work.withLock { work -> Audience<State>? in
            guard work.runs == run else { return nil }
            var states: [State] = []
            for finding in findings {
                let wasHeld = work.course.isHeld
                guard let state = work.course.record(finding) else { continue }
                states.append(state)
                pace(work, wasHeld: wasHeld)
            }
            guard !states.isEmpty else { return nil }
            work.audience.tell(states)
            return work.audience
        }
        audience?.ring()
    }

    /// A name that leads nowhere is looked up again before long; of a connection, the prober itself makes the next.
    private func pace(_ work: Work, wasHeld: Bool) {
        guard !work.course.isHeld || !wasHeld else { return }
        watch.perform([.pace(id, interval: work.course.isHeld ? target.interval : target.retryInterval)])
    }

    private var id: Target.ID { Target.ID(watch.firstID) }
}
