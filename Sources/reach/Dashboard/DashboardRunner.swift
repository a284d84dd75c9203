import Dispatch
import Logging
import ReachDashboard
import ReachFleet
import ReachHistory
import ReachHooks
import ReachMonitoring
import ReachProbing
import ReachScreen
import ReachTerminal
import Synchronization
import UnixSignals

/// Runs the dashboard on a terminal: connects the loop to its input sources and performs the effects of the model.
struct DashboardRunner {
    let terminal: Terminal
    let controller: EngineController
    private let files: DashboardFiles
    private let capabilities: TerminalCapabilities
    private let queue = DispatchQueue.loop()
    private let timer: FrameTimer
    private let fileWatch: FileWatch
    private let clipboard: Clipboard

    private var engine: Engine { controller.engine }

    /// An input of the loop.
    private enum Input: Sendable {
        /// An input that every loop has.
        case engine(EngineController.Input, at: Duration)
        /// An event of the terminal, a signal or a timer.
        case event(Event)
    }

    init(
        terminal: Terminal,
        capabilities: TerminalCapabilities,
        engine: Engine,
        source: TargetSource,
        promptHistory: PromptHistoryFile?,
        logger: Logger
    ) {
        self.terminal = terminal
        self.capabilities = capabilities
        files = DashboardFiles(promptHistory)
        clipboard = Clipboard(terminal, capabilities.multiplexer)
        timer = FrameTimer(time: engine.time, queue: queue)
        fileWatch = FileWatch(environment: source.environment)
        controller = EngineController(engine: engine, source: source, logger: logger, fileWatch: fileWatch)
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
        let time = engine.time
        fileWatch.watch(controller.source.path)
        let model = Model(
            source: controller.source.screenName,
            document: document,
            size: terminal.size,
            glyphs: capabilities.glyphs,
            themeOverride: capabilities.theme,
            background: capabilities.background,
            wall: time.wall
        )
        if capabilities.canQueryBackground { terminal.queryBackground() }
        var loop = DashboardLoop(
            model,
            paint: paint,
            scheduleTick: timer.schedule,
            now: { time.now },
            perform: perform
        )
        await controller.use(settings)
        // Settings are applied before the first frame, so that it shows the targets.
        var first: [Event.Kind] = [.settings(settings)]
        if let election = engine.election { first.append(.hookOwner(election.first)) }
        first += notes.map { .message($0, isProblem: true) }
        if controller.source.isFirstRun { first.append(.hint("no dashboard.toml: this machine's network")) }
        for kind in first { await loop.fold(Event(kind, at: time.now)) }
        let cause = await InputSource.run(sources(signals), on: queue) { await loop.run($0) { await events(of: $0) } }
        await controller.stop()
        engine.recordNames(of: loop.model.targetsBeforeRenaming)
        terminal.leave(printing: cause == .quit ? loop.model.finalScreen().text : "")
        await files.finish()
        return cause
    }

    // MARK: Inputs

    /// The input sources of the loop: network, hooks, keyboard, signals and time.
    private func sources(_ signals: Signals) -> [InputSource<Input>] {
        let (time, terminal) = (engine.time, terminal)
        let event: @Sendable (Event.Kind) -> Input = { .event(Event($0, at: time.now)) }
        return controller.inputs { .engine($0, at: time.now) } + [
            InputSource(engine.fleet.pasts) { event(.fleetHistory($0.history, of: $0.name)) },
            InputSource(engine.paths.updates) { event(.paths($0.paths, isComplete: $0.isComplete)) },
            InputSource(engine.silences.reports) { event(.silenced($0)) },
            InputSource(engine.reader?.answers ?? .finished) { event(.history($0, time)) },
            // The key stream ends when the terminal closes, even if the system sends no SIGHUP.
            InputSource(batching: terminal.keys, last: { event(.exit(.signal(UnixSignal.sighup.rawValue))) }) {
                event(.keys($0))
            },
            InputSource(signals.sequence) { event(Self.event(of: $0, terminal)) },
            InputSource(StopSignal.sequence) { _ in event(.suspend) },
            InputSource(terminal.backgrounds) { event(.background($0)) },
            InputSource(fileWatch.changes) { event(.fileChanged) },
            InputSource(clipboard.reports) { event(.notice($0)) },
            InputSource(files.reports) { event(.notice($0)) },
            InputSource(files.recalledLines) { event(.recalled($0)) },
            InputSource(timer.ticks) { event(terminal.newSize().map { .resize($0) } ?? .tick(time.wall)) },
        ]
    }

    private static func event(of signal: UnixSignal, _ terminal: Terminal) -> Event.Kind {
        switch signal {
        case .sigwinch: .resize(terminal.size)
        case .sigusr1: .reload
        case .sigcont: .resumed
        default: .exit(.signal(signal.rawValue))
        }
    }

    /// Returns the events of an input. Requests and refreshes are handled here, in the order of the inputs, so that none
    /// of them replaces newer settings.
    private func events(of input: Input) async -> [Event] {
        switch input {
        case .event(let event): [event]
        case .engine(.sources, let time): controller.sourceUpdates().map { Event(.source($0.notice), at: time) }
        case .engine(.answer, let time): await answer().map { [Event($0, at: time)] } ?? []
        case .engine(let input, let time): engine.event(of: input).map { [Event($0, at: time)] } ?? []
        }
    }

    // MARK: Effects

    private func paint(_ frame: Frame, isWhole: Bool) {
        terminal.painter.paint(frame)
        if isWhole { terminal.painter.repaint() }
    }

    private func perform(_ effect: Effect) async -> Event.Kind? {
        switch effect {
        case .perform, .showFleet, .readFleetHistory:
            await controller.perform(effect)
        case .silence(let silence):
            engine.silences.send(silence)
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
            files.save(picture, as: name)
        case .saveIncident(let time, let names, let assignments, let file):
            saveIncident(at: time, of: names, among: assignments.map(\.target), as: file)
        case .remember(let line):
            files.add(line)
        case .readHistory(let request):
            guard let reader = engine.reader else { return .historyOff(engine.time) }
            reader.read(request)
        case .edit(let request):
            if controller.begin(request) {
                await controller.waitForAnswer()
                if let answer = await answer() { return answer }
            } else if request.reload == nil {
                return .edited(.refused("the settings file does not answer – try again later"))
            }
            // The user waits for neither a comparison of the file nor the end of the program.
            return request.reload == .ifChanged || controller.isEnding ? nil : .edited(.delayed)
        case .suspend:
            guard terminal.suspend() else { return .notice("not suspended: no shell could resume reach – q quits") }
            return .resize(terminal.size)
        case .restoreTerminal:
            terminal.resume()
            return .resize(terminal.size)
        case .showPaths(let request):
            engine.paths.show(request)
        case .repaint, .exit:
            // The loop performs these effects itself.
            break
        }
        return nil
    }

    /// Writes what the history has of a time into a file.
    private func saveIncident(at time: Duration, of names: [String], among targets: [Target], as file: String) {
        guard let path = engine.reader?.path else { return }
        let (redaction, clock) = (engine.redaction.current, engine.time)
        files.save(as: file) {
            let hour = Duration.seconds(3_600)
            let text = try IncidentText(
                of: HistoryDatabase(path: path, for: .read),
                targets,
                redaction,
                names: names,
                at: time,
                before: hour,
                after: hour,
                now: clock.wall.start + clock.now,
                zone: clock.wall.zone
            )
            return text.lines + "\n"
        }
    }

    /// The event of the request that has ended; nil if there is none.
    private func answer() async -> Event.Kind? {
        await controller.finishRequest().map { answer in
            switch answer {
            case .success(let result): .edited(result)
            case .failure(let error): .settingsRefused(error.lines)
            }
        }
    }
}

extension Engine {
    /// The event of an input that the loop folds as it is; nil for others.
    func event(of input: EngineController.Input) -> Event.Kind? {
        switch input {
        case .findings(let findings): .findings(forScreen(findings))
        case .fleet(let update): .fleet(update)
        case .report(let report): .hook(forScreen(report))
        case .message(let message): .message(message.text, isProblem: message.isProblem)
        case .past(let past): .past(past)
        case .hookOwner(let owner): .hookOwner(owner)
        case .reload(.always): .reload
        case .reload(.ifChanged): .fileChanged
        case .reportsEnded, .sources, .answer: nil
        }
    }
}

extension EngineController {
    /// Performs an effect that concerns neither the screen nor the settings.
    func perform(_ effect: Effect) async {
        switch effect {
        case .perform(let consequences): await engine.perform(consequences)
        case .showFleet(let names, let groups): engine.fleet.show(names, groups: groups)
        case .readFleetHistory(let name): engine.fleet.requestPast(of: name)
        default: break
        }
    }
}

/// Copies text to the clipboard of the terminal's user, beside the loop.
final class Clipboard: Sendable {
    /// How a text was copied, for the footer, if that is known. The stream has one consumer.
    let reports: AsyncStream<String>
    private let report: AsyncStream<String>.Continuation
    private let terminal: Terminal
    private let multiplexer: TerminalCapabilities.Multiplexer?

    init(_ terminal: Terminal, _ multiplexer: TerminalCapabilities.Multiplexer?) {
        (self.terminal, self.multiplexer) = (terminal, multiplexer)
        (reports, report) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
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
