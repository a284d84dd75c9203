import Logging
import ReachDashboard
import ReachFleet
import ReachHistory
import ReachHooks
import ReachMonitoring
import ReachProbing
import ReachReporting
import ReachSystem
import Synchronization

/// The state that the loops of `watch`, the dashboard and its pictures share: the engine, the settings in use with the lists
/// of their sources, reloads, and the end. Confined to the task of its loop.
final class EngineController {
    /// An input that every loop has.
    enum Input: Sendable {
        /// Results of probes.
        case findings([Finding])
        /// An update of the targets of other programs.
        case fleet(FleetUpdate)
        /// A report of a hook run.
        case report(HookReport)
        /// All hooks have ended, and no more will start.
        case reportsEnded
        /// A message of the history.
        case message(HistoryWriter.Message)
        /// The targets' past before the start of the program.
        case past(StoredPast)
        /// The process that runs the hooks from now on.
        case hookOwner(HookOwner)
        /// Sources of targets were refreshed; ``EngineController/sourceUpdates()`` returns how.
        case sources
        /// A request that concerns the settings has ended; ``EngineController/finishRequest()`` returns its result.
        case answer
        /// A request to read the settings again, which had to wait for the one before.
        case reload(Reload)
    }

    /// How the settings are read again.
    enum Reload: Comparable {
        /// If the file has changed since it was read.
        case ifChanged
        /// In any case, as the user requests it.
        case always
    }

    /// The result of a request that concerns the settings.
    typealias RequestResult = Result<EditResult, StartupError>

    let engine: Engine
    let source: TargetSource
    /// Whether a signal has requested the exit. From then on, nothing is applied or reloaded, and no hook starts.
    private(set) var isEnding = false
    private let store: SettingsStore
    private let refresher: SourceRefresher
    /// The settings in use, if they have sources of targets.
    private var settings = Settings(targets: [])
    /// Whether the settings in use have targets or servers.
    private var hasTargets = false

    // MARK: The request in progress

    /// Reads and writes settings files.
    private let files = BlockingQueue("settings")
    private let fileWatch: FileWatch?
    /// The end of the request in progress, and the reload that waited for it.
    private let requests: AsyncStream<Input>
    private let request: AsyncStream<Input>.Continuation
    private let answer = AnswerSlot()
    /// Ends with the request in progress.
    private var ended = AsyncStream<Void>.finished
    private var isBusy = false
    /// The reload that follows the request in progress; nil for none.
    private(set) var waitingReload: Reload?
    /// Whether a source was refreshed since the request began.
    private var hasNewLists = false

    /// The answer to the request in progress, which the thread of ``files`` sets; nil before its end.
    private final class AnswerSlot: Sendable {
        let value = Mutex<RequestResult?>(nil)
    }

    /// - Parameter fileWatch: Watches the settings file, from each request that reads it.
    init(engine: Engine, source: TargetSource, logger: Logger, fileWatch: FileWatch? = nil) {
        (self.engine, self.source, self.fileWatch) = (engine, source, fileWatch)
        let time = engine.time
        refresher = SourceRefresher(
            source.lists,
            fetcher: SourceFetcher(redaction: engine.redaction, logger: logger),
            now: { time.now }
        )
        store = SettingsStore(source: source)
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4))
    }

    /// The sources of the common inputs. The history gets its part of them.
    ///
    /// - Parameter input: Returns the input of the loop; nil ignores it.
    func inputs<LoopInput>(_ input: @escaping @Sendable (Input) -> LoopInput?) -> [InputSource<LoopInput>] {
        let engine = engine
        return [
            InputSource(engine.prober.findings) {
                engine.record($0)
                return input(.findings($0))
            },
            InputSource(engine.paths.findings) { input(.findings($0)) },
            InputSource(engine.fleet.updates) { input(.fleet($0)) },
            InputSource(engine.hooks.reports, last: { input(.reportsEnded) }) {
                engine.record($0)
                return input(.report($0))
            },
            InputSource(engine.history?.messages ?? .finished) { input(.message($0)) },
            InputSource(engine.history?.past ?? .finished) { input(.past($0)) },
            InputSource(engine.election?.changes ?? .finished) {
                engine.noteOwner(ofHooks: $0)
                return input(.hookOwner($0))
            },
            InputSource(refresher.arrivals) { input(.sources) },
            InputSource(requests) { input($0) },
        ]
    }

    // MARK: Settings

    /// Uses settings from now on. The caller applies them to the roster.
    ///
    /// - Parameters:
    ///   - file: The file that they are from; nil for that of the source.
    ///   - isReload: Whether all files that targets name and all sources are read again.
    func use(_ settings: Settings, from file: String? = nil, isReload: Bool = false) async {
        engine.engineLog.log(settings, from: file ?? source.name)
        engine.history?.apply(settings.stored)
        await engine.hooks.setLimit(settings.maxHooks)
        await engine.prepare(for: settings)
        remember(settings)
        if isReload { engine.prober.rereadFiles() }
        refresher.use(settings.sources, isReload: isReload)
        engine.readFleet(of: settings)
        engine.paths.use(settings.paths)
    }

    private func remember(_ new: Settings) {
        hasTargets = !new.targets.isEmpty || !new.prometheus.isEmpty
        // Only sources need the targets again; otherwise, thousands of them would be in memory twice.
        settings = new.sources.isEmpty ? Settings(targets: []) : new
    }

    /// The figures of the sources, for the metrics.
    var sourceFigures: [SourceFigures] {
        source.lists.figures(of: settings.sources, wall: engine.time.wall, redaction: engine.redaction.current)
    }

    /// Makes the targets of the new lists. The caller applies them to the roster.
    ///
    /// - Returns: The changes by each refresh, in the order of the sources' names; none after the request to exit.
    func sourceUpdates() -> [(report: SourceReport, notice: SourceNotice)] {
        let reports = refresher.removeReports()
        return isEnding ? [] : reports.map { ($0, notice(of: $0)) }
    }

    private func notice(of report: SourceReport) -> SourceNotice {
        let (name, redaction) = (report.source.name, engine.redaction.forScreen)
        guard report.change.hasNewList else { return SourceNotice(name: name, problem: report.problem) }
        let before = settings.targets
        let (updated, leftOut) = source.updated(settings, with: [report.source])
        engine.redaction.update(updated)
        remember(updated)
        hasNewLists = true
        let difference = TargetDifference(before, updated.targets)
        return SourceNotice(
            name: name,
            problem: report.problem,
            leftOut: leftOut[report.source].map { redaction.text($0.summary) },
            settings: updated,
            changes: difference.isEmpty ? nil : difference.summary
        )
    }

    // MARK: Requests

    /// Begins a request that concerns the settings. ``Input/answer`` follows, unless the program is ending.
    ///
    /// - Returns: Whether it has begun: one request is in progress at a time. ``Input/reload`` follows for a request to read
    ///   the settings again that has to wait.
    func begin(_ request: EditRequest) -> Bool {
        guard !isEnding else { return true }
        guard !isBusy else {
            if let reload = request.reload { waitingReload = max(reload, waitingReload ?? reload) }
            return false
        }
        if request.reload != nil { waitingReload = nil }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        (self.ended, isBusy, hasNewLists) = (ended, true, false)
        let call = call(for: request)
        Task { [files, answer, requests = self.request] in
            guard let result = await files.run(call) else { return }
            answer.value.withLock { $0 = result }
            end.finish()
            requests.yield(.answer)
        }
        return true
    }

    /// Waits until the request in progress has ended, up to a timeout.
    func waitForAnswer(timeout: Duration = .seconds(2)) async {
        _ = await withTimeout(timeout) { [ended] in for await _ in ended {} }
    }

    /// Returns the result of the request that has ended, and uses its settings; nil if there is none.
    func finishRequest() async -> RequestResult? {
        let taken = answer.value.withLock { answer in
            defer { answer = nil }
            return answer
        }
        guard let taken, !isEnding else { return nil }
        isBusy = false
        if let waitingReload { request.yield(.reload(waitingReload)) }
        switch taken {
        case .success(.made(let edit, let document, let settings)):
            return .success(.made(edit, document, await used(settings)))
        case .success(.undone(let edit, let document, let settings)):
            return .success(.undone(edit, document, await used(settings)))
        case .success(.reread(let document, let settings)):
            return .success(.reread(document, await used(settings, from: document?.file, isReload: true)))
        case .success:
            break
        case .failure(let error):
            engine.engineLog.logRefusedSettings(error.lines)
        }
        return taken
    }

    /// Uses settings that were read or edited, with the lists that are newer.
    private func used(_ read: Settings, from file: String? = nil, isReload: Bool = false) async -> Settings {
        let settings = hasNewLists ? source.updated(read).settings : read
        await use(settings, from: file, isReload: isReload)
        return settings
    }

    /// Returns the call of the file system for a request.
    private func call(for request: EditRequest) -> @Sendable () -> RequestResult {
        let (source, store, fileWatch, election) = (source, store, fileWatch, engine.election)
        let watch: @Sendable (String?) -> Void = { path in
            fileWatch?.watch(path ?? source.path)
            election?.use(source.hookSet(of: path))
        }
        let mayBeBlank = !hasTargets
        return {
            RequestResult { () throws(StartupError) in
                // Before the file is read, so that a later change is reported.
                if request.reload != nil { watch(request.file) }
                let result = try store.perform(request)
                switch result {
                case .written(let document):
                    watch(document.file)
                // A file that an editor has just emptied does not end the probing of everything.
                case .reread(nil, let settings) where settings.targets.isEmpty && !mayBeBlank:
                    if let blank = source.blankFile { throw StartupError("\(blank): the file is empty") }
                default:
                    break
                }
                return result
            }
        }
    }

    // MARK: End

    /// Ends all hook runs. The second time, kills them.
    func end() async {
        guard !isEnding else { return await engine.hooks.kill() }
        isEnding = true
        Task { [engine] in await engine.endHooks() }
    }

    /// Ends all refreshes of sources.
    func stop() async {
        isEnding = true
        await refresher.stop()
    }
}

extension EditRequest {
    /// How the settings are read again; nil for other requests.
    var reload: EngineController.Reload? {
        switch self {
        case .reread: .always
        case .rereadIfChanged: .ifChanged
        default: nil
        }
    }

    /// The file to read again; nil for that of the source.
    fileprivate var file: String? {
        switch self {
        case .reread(let document): document?.file
        case .rereadIfChanged(let document, _): document.file
        default: nil
        }
    }
}
