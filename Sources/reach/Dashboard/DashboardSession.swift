import ReachDashboard
import Dispatch
import ReachFleet
import ReachHistory
import ReachHooks
import Logging
import ReachMonitoring
import ReachProbing
import ReachScreen
import Synchronization
import ReachTerminal
import UnixSignals

/// A session of the dashboard on a terminal: connects the loop to its input sources and performs the effects of the model.
struct DashboardSession {
    let terminal: Terminal
    let source: TargetSource
    let engine: Engine
    /// The file of entered lines; nil if they are not saved.
    let enteredLines: PromptHistoryFile?
    private let capabilities: TerminalCapabilities
    private let queue = DispatchQueue.loop()
    private let timer: FrameTimer
    private let store: SettingsStore
    private let refresher: SourceRefresher
    /// The settings that are in use.
    private let current = CurrentSettings()
    private let watch: FileWatch
    private let clipboard: Clipboard

    init(
        terminal: Terminal,
        capabilities: TerminalCapabilities,
        source: TargetSource,
        time: ProgramTime,
        enteredLines: PromptHistoryFile?,
        history: HistoryWriter?,
        reader: HistoryReader?,
        election: HookElection,
        redaction: SharedRedaction,
        log: @Sendable (String) -> Logger
    ) {
        self.terminal = terminal
        self.capabilities = capabilities
        self.source = source
        self.enteredLines = enteredLines
        clipboard = Clipboard(terminal, capabilities.multiplexer)
        var engine = Engine(time: time, redaction: redaction, log: log)
        (engine.history, engine.reader, engine.election) = (history, reader, election)
        self.engine = engine
        timer = FrameTimer(time: time, queue: queue)
        watch = FileWatch(environment: source.environment)
        refresher = SourceRefresher(
            source.lists,
            fetcher: SourceFetcher(redaction: redaction, logger: log("sources")),
            now: { time.now }
        )
        var store = SettingsStore(environment: source.environment, interval: source.interval, options: source.options)
        store.discover = { source.discover(in: &$0) }
        store.keepShard = { source.keepShard(of: &$0) }
        self.store = store
    }

    /// Runs until the user quits or a signal arrives. Then restores the terminal and, after a quit, prints the last table.
    ///
    /// - Parameter notes: Problems that did not prevent the start.
    func run(
        _ settings: Settings,
        _ document: SettingsDocument?,
        notes: [String],
        signals: Signals
    ) async -> ExitCause {
        watch.watch(source.path)
        var model = Model(
            source: source.screenName,
            document: document,
            size: terminal.size,
            glyphs: capabilities.glyphs,
            themeOverride: capabilities.theme,
            background: capabilities.background,
            wall: engine.time.wall
        )
        await engine.prepare(for: settings)
        engine.engineLog.note(settings, from: source.name)
        model.recall(enteredLines?.lines ?? [])
        if capabilities.canQueryBackground { terminal.queryBackground() }
        var loop = DashboardLoop(model, paint: paint, scheduleTick: timer.schedule, perform: perform)
        // Settings are applied before the first frame, so that it shows the targets.
        await loop.fold(.settings(settings, at: engine.time.now))
        if let election = engine.election { await loop.fold(.hookOwner(election.first, at: engine.time.now)) }
        use(settings)
        engine.readFleet(of: settings)
        for note in notes { await loop.fold(.message(note, isProblem: true, at: engine.time.now)) }
        if source.isFirstRun {
            await loop.fold(.hint("no dashboard.toml: this machine's network"))
        }
        let cause = await InputSource.run(sources(signals), on: queue) { await loop.run($0) }
        await refresher.stop()
        engine.recordNames(of: loop.model.targetsBeforeRenaming)
        terminal.leave(printing: cause == .quit ? loop.model.finalScreen().text : "")
        return cause
    }

    // MARK: Events

    /// The event sources of the loop: network, hooks, keyboard, signals and time.
    private func sources(_ signals: Signals) -> [InputSource<Event>] {
        let (time, terminal, engine) = (engine.time, terminal, engine)
        let (source, current) = (source, current)
        return [
            InputSource(engine.prober.findings) {
                engine.record($0)
                return .findings(engine.forScreen($0), at: time.now)
            },
            InputSource(engine.fleet.updates) { .fleet($0, at: time.now) },
            InputSource(engine.fleet.pasts) { .fleetHistory($0.history, of: $0.name, at: time.now) },
            InputSource(engine.silences.reports) { .silenced($0, at: time.now) },
            InputSource(engine.hooks.reports) {
                engine.record($0)
                return .hook(engine.forScreen($0), at: time.now)
            },
            InputSource(engine.history?.messages ?? .finished) {
                .message($0.text, isProblem: $0.isProblem, at: time.now)
            },
            InputSource(engine.history?.past ?? .finished) { .past($0, at: time.now) },
            InputSource(engine.reader?.answers ?? .finished) { .history($0, time) },
            InputSource(engine.election?.changes ?? .finished) {
                engine.noteOwner(ofHooks: $0)
                return .hookOwner($0, at: time.now)
            },
            // The key stream ends when the terminal closes, even if the system sends no SIGHUP.
            InputSource(batching: terminal.keys, last: { .exit(.signal(UnixSignal.sighup.rawValue)) }) {
                .keys($0, at: time.now)
            },
            InputSource(signals.sequence) { Self.event(of: $0, terminal) },
            InputSource(StopSignal.sequence) { _ in .suspend },
            InputSource(terminal.backgrounds) { .background($0) },
            InputSource(watch.changes) { .fileChanged },
            InputSource(refresher.reports) { report in
                let leftOut = source.leftOut(of: report, in: current.value).map(engine.redaction.forScreen.text)
                return .sourceRefreshed(SourceNotice(report, leftOut: leftOut), at: time.now)
            },
            InputSource(clipboard.reports) { .notice($0) },
            InputSource(timer.ticks) { terminal.newSize().map(Event.resize) ?? .tick(time.now, time.wall) },
        ]
    }

    private static func event(of signal: UnixSignal, _ terminal: Terminal) -> Event {
        switch signal {
        case .sigwinch: .resize(terminal.size)
        case .sigusr1: .reload
        case .sigcont: .resumed
        default: .exit(.signal(signal.rawValue))
        }
    }

    // MARK: Effects

    private func paint(_ frame: Frame, isWhole: Bool) {
        terminal.painter.paint(frame)
        if isWhole { terminal.painter.repaint() }
    }

    private func perform(_ effect: Effect) async -> Event? {
        switch effect {
        case .perform(let consequences):
            await engine.perform(consequences)
        case .showFleet(let names, let groups):
            engine.fleet.show(names, groups: groups)
        case .askFleet(let name):
            engine.fleet.requestPast(of: name)
        case .silence(let silence):
            engine.silences.send(silence)
        case .limitHooks(let limit):
            await engine.hooks.setLimit(limit)
        case .refresh(let refresh):
            engine.prober.setRoutineDelay(refresh == .live ? .milliseconds(40) : .milliseconds(400))
        case .copy(let text):
            clipboard.copy(text)
        case .mouse(let isOn):
            terminal.setMouse(isOn)
        case .alert(let alert):
            if alert.rings { terminal.ring() }
            if let text = alert.notification {
                terminal.notify(text, by: capabilities.notifications, isInTmux: capabilities.multiplexer == .tmux)
            }
        case .title(let title):
            if capabilities.hasTitle { terminal.setTitle(title) }
        case .save(let picture, let name):
            let problem = PictureFile.create(name, with: picture)
            return .notice(problem.map { "cannot save \(name): \($0)" } ?? "saved \(name)")
        case .remember(let line):
            enteredLines?.add(line)
        case .readHistory(let request):
            guard let reader = engine.reader else { return .historyOff(engine.time) }
            reader.read(request)
        case .reload:
            return reload()
        case .discover(let name):
            let refreshed = current.value.sources.filter { $0.name == name }
            let updated = source.updated(current.value, with: refreshed).settings
            current.value = updated
            engine.redaction.update(updated)
            return .discovered(updated, from: name, at: engine.time.now)
        case .edit(let request):
            return perform(request)
        case .suspend:
            guard terminal.suspend() else { return .notice("not suspended: no shell could resume reach – q quits") }
            return .resize(terminal.size)
        case .restoreTerminal:
            terminal.resume()
            return .resize(terminal.size)
        case .press, .repaint, .exit:
            // The loop performs these effects itself.
            break
        }
        return nil
    }

    private func perform(_ request: EditRequest) -> Event {
        let now = engine.time.now
        switch request {
        // Before the file is read, so that a later change is reported.
        case .reread(let document), .compare(let document): watch(document.file)
        default: break
        }
        do throws(StartupError) {
            let result = try store.perform(request)
            switch result {
            case .made(_, _, let settings), .undone(_, _, let settings):
                engine.engineLog.note(settings, from: source.name)
                use(settings)
                engine.readFleet(of: settings)
            case .reread(let document, let settings):
                engine.engineLog.note(settings, from: document.file ?? source.name)
                engine.readFleet(of: settings)
                engine.rereadFiles()
                use(settings, isReload: true)
            case .written(let document):
                watch(document.file)
            case .fields, .compared, .conflict, .refused, .notWritten:
                break
            }
            return .edited(result, at: now)
        } catch {
            engine.engineLog.noteRefusedSettings(error.lines)
            return .settingsRefused(error.lines, at: now)
        }
    }

    /// Remembers settings, and refreshes their sources.
    private func use(_ settings: Settings, isReload: Bool = false) {
        // Thousands of targets are kept twice only where they are needed.
        current.value = settings.sources.isEmpty ? Settings(targets: []) : settings
        refresher.use(settings.sources, isReload: isReload)
    }

    /// Watches this settings file from now on. Its hooks run in one of the processes with it.
    private func watch(_ path: String?) {
        watch.watch(path)
        engine.election?.use(source.hookSet(of: path))
    }

    private func reload() -> Event {
        watch(source.path)
        do throws(StartupError) {
            let settings = try source.settings()
            engine.engineLog.note(settings, from: source.name)
            engine.rereadFiles()
            use(settings, isReload: true)
            engine.readFleet(of: settings)
            return .settings(settings, at: engine.time.now)
        } catch {
            engine.engineLog.noteRefusedSettings(error.lines)
            return .settingsRefused(error.lines, at: engine.time.now)
        }
    }
}

/// The settings that the dashboard uses, if they have sources of targets. Only its loop changes them.
final class CurrentSettings: Sendable {
    private let settings = Mutex(Settings(targets: []))

    var value: Settings {
        get { settings.withLock { $0 } }
        set { settings.withLock { $0 = newValue } }
    }
}

/// Copies text to the clipboard of the terminal's user, beside the loop.
final class Clipboard: Sendable {
    /// What has become of a text, for the footer, where more is known than that the terminal may allow it. The stream has one
    /// consumer.
    let reports: AsyncStream<String>
    private let report: AsyncStream<String>.Continuation
    private let terminal: Terminal
    private let multiplexer: TerminalCapabilities.Multiplexer?

    init(_ terminal: Terminal, _ multiplexer: TerminalCapabilities.Multiplexer?) {
        (self.terminal, self.multiplexer) = (terminal, multiplexer)
        (reports, report) = AsyncStream.makeStream()
    }

    /// Copies text. By default, tmux ignores what programs copy, but not its own command.
    func copy(_ text: String) {
        switch multiplexer {
        case nil:
            terminal.copy(text)
        case .tmux:
            Task { await copyInTmux(Terminal.copied(text)) }
        case .remoteTmux:
            terminal.copy(text)
            report.yield("copied, if tmux has `set -g set-clipboard on`")
        case .screen, .remoteScreen:
            terminal.copy(text)
            terminal.copyThroughScreen(text)
        }
    }

    private func copyInTmux(_ text: String) async {
        // Before tmux 3.2, there is no `-w`: only the buffer of tmux gets the text.
        for options in [["-w"], []] {
            let command = HookCommand.program("tmux", arguments: ["load-buffer"] + options + ["-"])
            let output = await command.output(input: text, limit: 4_096, timeout: .seconds(5))
            guard output.status != .exited(0) else {
                let clipboard = options.isEmpty ? "" : ", and to the clipboard if the terminal allows it"
                report.yield("copied to the buffer of tmux\(clipboard)")
                return
            }
        }
        terminal.copy(text)
        report.yield("copied, if tmux has `set -g set-clipboard on`")
    }
}
