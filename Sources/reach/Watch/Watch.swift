import Hooks
import Monitoring
import Reporting
import UnixSignals

/// The loop of `reach watch`: the roster's one owner, and what it tells.
struct Watch {
    private let engine: Engine
    private let source: TargetSource
    private let teller: WatchTeller
    private var roster = Roster()
    /// The roster's edition that the metrics count.
    private var edition = 0
    /// What is counted; nothing where nobody can ask for it.
    private var metrics: Metrics?
    /// The requests of HTTP clients; nil without `--listen`.
    private let scrapes: ScrapeQueue?
    private var supervisor: Supervisor?
    /// Yields when a cooldown ends that holds a report back.
    let deadlines: AsyncStream<Void>
    private let deadline: AsyncStream<Void>.Continuation
    private var alarm: (time: Duration, task: Task<Void, Never>)?
    /// The exit status, once a signal has asked for the end.
    private var status: Int32?

    /// What reaches the loop.
    enum Input: Sendable {
        /// Answers of the network.
        case findings([Finding])
        /// News of a hook run.
        case report(HookReport)
        /// Every hook has ended, and none will be started.
        case reportsEnded
        /// A cooldown has ended.
        case deadline
        /// A signal came.
        case signal(UnixSignal)
        /// HTTP requests wait for an answer.
        case scrape
        /// It is time to tell the service manager that the loop goes round.
        case tick
        /// Standard output takes no more, as `errno` has it.
        case outputEnded(Int32)
    }

    /// - Parameters:
    ///   - teller: tells what happens.
    ///   - scrapes: the requests of HTTP clients; without it, nothing is counted for them.
    ///   - supervisor: what started the program and wants to know how it does.
    init(
        engine: Engine,
        source: TargetSource,
        teller: WatchTeller,
        scrapes: ScrapeQueue? = nil,
        supervisor: Supervisor? = nil
    ) {
        self.engine = engine
        self.source = source
        self.teller = teller
        self.supervisor = supervisor
        self.scrapes = scrapes
        metrics = scrapes == nil ? nil : Metrics()
        (deadlines, deadline) = AsyncStream.makeStream()
    }

    /// Runs until a signal ends it or standard output is read no more. After the signal it goes on until every hook has
    /// ended, so that what became of each is reported.
    ///
    /// - Returns: The exit status.
    mutating func run(_ inputs: some AsyncSequence<Input, Never>) async -> Int32 {
        supervisor?.ready(roster)
        defer { supervisor?.stopping() }
        for await input in inputs {
            switch input {
            case .findings where status != nil:
                break
            case .findings(let findings):
                metrics?.record(findings, of: roster)
                teller.tell(findings, of: roster)
                let consequences = roster.record(findings)
                metrics?.record(consequences.events)
                await follow(consequences)
            case .report(let report):
                roster.record(report)
                metrics?.record(report)
                teller.tell(report, of: roster)
            case .reportsEnded:
                return status ?? 0
            case .deadline:
                alarm = nil
                await follow(roster.expire(at: engine.time.now))
            case .outputEnded(let code):
                return teller.status(ofOutputThatEnded: code)
            case .signal(let signal) where signal.isEnding && status != nil:
                await engine.hooks.kill()
            case .signal(.sighup):
                await reload()
            case .signal(let signal) where signal.isEnding:
                status = 128 + signal.rawValue
                supervisor?.stopping()
                Task { [engine] in await engine.endHooks() }
            case .signal:
                break
            case .scrape:
                answerScrapes()
            case .tick:
                supervisor?.pat(roster)
            }
            setAlarm()
        }
        return status ?? 0
    }

    private mutating func follow(_ consequences: Consequences) async {
        if edition != roster.edition { countTargets() }
        await engine.perform(consequences)
        teller.tell(consequences.events, of: roster)
    }

    /// Sets the timer for the end of the next cooldown that holds a report back.
    private mutating func setAlarm() {
        let next = status == nil ? roster.nextExpiry : nil
        guard next != alarm?.time else { return }
        alarm?.task.cancel()
        let now = engine.time.now
        alarm = next.map { time in
            let task = Task { [deadline] in
                try? await Task.sleep(for: max(Duration.zero, time - now), clock: .continuous)
                if !Task.isCancelled { deadline.yield() }
            }
            return (time, task)
        }
    }

    /// Takes settings over.
    mutating func take(_ settings: Settings) async {
        engine.journal.note(settings, from: source.name)
        var settings = settings
        // Nobody looks further back than the figures do: memory is taken once, not for an hour.
        settings.history = .zero
        await engine.prepare(for: settings)
        await engine.hooks.setLimit(settings.maxHooks)
        let consequences = roster.apply(settings, at: engine.time.now)
        countTargets()
        metrics?.record(consequences.events)
        await engine.perform(consequences)
        teller.tell(consequences.events, of: roster)
        // What reading left over; the first probes are on their way meanwhile.
        Allocator.giveBack()
    }

    /// Has the metrics count the targets that the roster has now.
    private mutating func countTargets() {
        edition = roster.edition
        let redaction = engine.redaction.current
        metrics?.apply(roster, redaction: redaction)
    }

    private func answerScrapes() {
        scrapes?.answerAll { question in
            switch question {
            case .metrics:
                .metrics(
                    (metrics ?? Metrics()).exposition(of: roster, version: Reach.version, wall: engine.time.wall)
                )
            case .targets: .targets(TargetsRecord(roster.standings, redaction: engine.redaction.current))
            case .health: .alive
            }
        }
    }

    private mutating func reload() async {
        supervisor?.reloading(at: Supervisor.monotonicTime)
        defer { supervisor?.ready(roster) }
        do throws(TargetProblems) {
            let settings = try source.settings()
            engine.rereadFiles()
            await take(settings)
            let count = settings.targets.count
            teller.complain("settings read again: \(count == 1 ? "1 target" : "\(count) targets")")
        } catch {
            teller.complain("settings refused, the old ones keep running:")
            error.lines.forEach(teller.complain)
        }
    }
}
