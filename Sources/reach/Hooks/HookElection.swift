import ReachHistory
import ReachMonitoring
import ReachSystem
import Synchronization

/// Decides, together with the other processes of the same settings, which one runs their hooks.
final class HookElection: Sendable {
    /// The owner at the start.
    let first: HookOwner
    /// The later owners, for one consumer.
    let changes: AsyncStream<HookOwner>
    private let change: AsyncStream<HookOwner>.Continuation
    private let state: Mutex<State>

    private struct State {
        /// The claim; nil after ``stop()``.
        var claim: HookClaim?
        var owner: HookOwner
    }

    /// Takes the lock if it is free, and checks it from now on until the consumer of ``changes`` is cancelled.
    init(_ claim: HookClaim) {
        var claim = claim
        let owner = claim.update()
        first = owner
        state = Mutex(State(claim: claim, owner: owner))
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        guard owner != .disabled else { return }
        let checking = Task { [weak self] in
            while !Task.isCancelled {
                // A process that waits takes over soon after the owner has ended.
                let pause = Duration.milliseconds(self?.isWaiting == true ? 250 : 2_000)
                try? await Task.sleep(for: pause, tolerance: pause / 5)
                guard !Task.isCancelled, let self, check() else { return }
            }
        }
        change.onTermination = { _ in checking.cancel() }
    }

    private var isWaiting: Bool {
        state.withLock { !$0.owner.isThisProcess }
    }

    /// Changes the targets whose hooks run.
    func use(_ set: HookSet?) {
        _ = check { $0.use(set) }
    }

    /// Releases the lock, so that another process takes over.
    func stop() {
        state.withLock { $0.claim = nil }
    }

    /// Reports the owner if it has changed. Returns whether the checks go on.
    private func check(_ prepare: (inout HookClaim) -> Void = { _ in }) -> Bool {
        state.withLock { state in
            guard var claim = state.claim else { return false }
            prepare(&claim)
            let owner = claim.update()
            if owner != state.owner { change.yield(owner) }
            state = State(claim: claim, owner: owner)
            return true
        }
    }
}

/// The lock by which the processes with the same settings agree which one runs their hooks.
///
/// The process with the lock runs the hooks. A process that the user has chosen takes precedence over all, and one with all
/// targets over one with a selection of them.
struct HookClaim: Sendable {
    /// The user's choice.
    enum Choice: Sendable, Hashable {
        /// The first process runs the hooks.
        case first
        /// This process runs them, even if another one does.
        case always
        /// This process runs none.
        case never
    }

    private let choice: Choice
    private let folder: String
    private var set: HookSet?
    private var lock: ProcessLock?

    /// - Parameters:
    ///   - set: The targets with the hooks; nil if there can be none.
    ///   - folder: The folder of the locks, in which all users can write.
    init(_ choice: Choice, of set: HookSet?, in folder: String = Self.folder) {
        (self.choice, self.set, self.folder) = (choice, set, folder)
    }

    /// The folder of the locks. The service has another `/tmp`, and macOS removes old files from it.
    #if os(Linux)
    static let folder = "/dev/shm"
    #else
    static let folder = "/var/tmp"
    #endif

    /// Changes the targets, and releases the lock of the previous ones.
    mutating func use(_ set: HookSet?) {
        guard set != self.set else { return }
        self.set = set
        release()
    }

    /// Releases the lock.
    mutating func release() {
        lock = nil
    }

    /// Takes the lock if it is free, and returns the present owner.
    mutating func update() -> HookOwner {
        switch choice {
        case .never:
            return .disabled
        case .always:
            // If another process was chosen too, both run the hooks.
            guard let set, case .taken? = acquire(set.path(.chosen, in: folder)) else { return .thisProcess }
            return .unknown("another process has --hooks too")
        case .first:
            guard let set else { return .thisProcess }
            if let owner = preferredOwner(of: set) {
                release()
                return owner
            }
            let path = set.path(.first, in: folder)
            return switch acquire(path) {
            case nil: .thisProcess
            case .taken(let process): .process(process)
            case .failed(let code): .unknown("cannot lock \(path): \(SystemError(code))")
            }
        }
    }

    /// The process that takes precedence over the first one with a set; nil without one.
    private func preferredOwner(of set: HookSet) -> HookOwner? {
        var paths = [set.path(.chosen, in: folder)]
        if let larger = set.larger { paths += [larger.path(.chosen, in: folder), larger.path(.first, in: folder)] }
        for path in paths {
            if case .taken(let process) = ProcessLock.refusal(at: path) { return .process(process) }
        }
        return nil
    }

    /// Acquires a lock. Returns the reason if that is not possible; nil on success.
    private mutating func acquire(_ path: String) -> ProcessLock.Refusal? {
        // The system may remove the files of a user who logs out.
        if let lock, lock.isInPlace { return nil }
        do throws(ProcessLock.Refusal) {
            lock = try ProcessLock(at: path, isShared: true)
            return nil
        } catch {
            release()
            return error
        }
    }
}

/// The targets whose hooks a process runs: those of a settings file, of a shard, or that arguments select.
struct HookSet: Sendable, Hashable {
    /// The path of the settings file.
    let settings: String
    /// The share of the targets; nil for all.
    var shard: Shard?
    /// The arguments that select among them, sorted; empty for all.
    var selection: [String] = []

    /// Why a process has a lock.
    enum Kind: String {
        /// It is the first one.
        case first = "reach-hooks"
        /// The user has chosen it.
        case chosen = "reach-hooks-always"
    }

    /// The path of the lock of the process that runs the hooks.
    func path(_ kind: Kind, in folder: String) -> String {
        let subject = ([settings, shard?.description ?? ""] + selection).joined(separator: "\n")
        return ProcessLock.path(of: kind.rawValue, for: subject, in: folder)
    }

    /// The set without a selection; nil if this one has none.
    var larger: HookSet? {
        selection.isEmpty ? nil : HookSet(settings: settings, shard: shard)
    }
}

extension TargetSource {
    /// The targets whose hooks this process runs; nil without a settings file, since only those have hooks.
    ///
    /// - Parameter path: The file that was written since the start.
    func hookSet(of path: String? = nil) -> HookSet? {
        guard let path = path ?? self.path else { return nil }
        let selection = arguments.sorted() + (fleet == nil ? [] : ["fleet"])
        return HookSet(settings: Self.identity(ofFile: path), shard: overrides.shard, selection: selection)
    }
}
