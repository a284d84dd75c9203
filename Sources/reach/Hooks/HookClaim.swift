import History
import LibC
import Monitoring

/// The lock by which the processes with the same settings agree which one runs their hooks.
///
/// The process with the lock does. A process that the user has chosen comes first, and then one with all targets before one
/// with a selection of them.
struct HookClaim: Sendable {
    /// The user's choice.
    enum Choice: Sendable, Hashable {
        /// The first process runs the hooks.
        case first
        /// This process runs them, also if another one does.
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

    /// Changes the targets, and returns the locks of those before.
    mutating func use(_ set: HookSet?) {
        guard set != self.set else { return }
        self.set = set
        release()
    }

    /// Returns the lock.
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
            guard let set, case .taken? = hold(set.path(.chosen, in: folder)) else { return .thisProcess }
            return .unknown("another process has --hooks too")
        case .first:
            guard let set else { return .thisProcess }
            if let owner = preferredOwner(of: set) {
                release()
                return owner
            }
            let path = set.path(.first, in: folder)
            return switch hold(path) {
            case nil: .thisProcess
            case .taken(let process): .process(process)
            case .failed(let code): .unknown("cannot lock \(path): \(SystemError(code))")
            }
        }
    }

    /// The process that comes before the first one with a set; nil if there is none.
    private func preferredOwner(of set: HookSet) -> HookOwner? {
        var paths = [set.path(.chosen, in: folder)]
        if let larger = set.larger { paths += [larger.path(.chosen, in: folder), larger.path(.first, in: folder)] }
        for path in paths {
            if case .taken(let process) = ProcessLock.refusal(at: path) { return .process(process) }
        }
        return nil
    }

    /// Takes a lock, unless it is held. Returns why that is not possible; nil on success.
    private mutating func hold(_ path: String) -> ProcessLock.Refusal? {
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
