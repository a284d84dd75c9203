import Dispatch
import NIOCore
import ReachSystem
import Synchronization

/// A thread for one job at a time that may block or not end: a name lookup, a search, reading a file. The system may
/// refuse a thread. Another thread can lower its priority, where the system has one for each thread (Linux).
final class WorkerThread: Sendable {
    /// The size of a stack in bytes, more than the C library's resolver and its modules need. Only touched pages take
    /// memory.
    static let smallStack = 256 << 10
    /// The nice value of threads that may compute without end: event loops come first.
    static let background: Int32 = 5
    /// The nice value of the lowest priority.
    static let lowest: Int32 = 19

    private enum Job: Sendable {
        case none
        case run(@Sendable () -> Void)
        case end
    }

    private struct Priority: Sendable {
        var nice: Int32
        #if os(Linux)
        /// The thread identifier; nil until the thread runs.
        var id: id_t?
        #endif
    }

    private let job = Mutex(Job.none)
    private let wakeUp = DispatchSemaphore(value: 0)
    private let priority: Mutex<Priority>

    /// Starts a thread; nil if the system allows no more.
    init?(stackSize: Int = WorkerThread.smallStack, nice: Int32 = 0) {
        priority = Mutex(Priority(nice: nice))
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(attributes, stackSize)
        let retained = Unmanaged.passRetained(self)
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        guard pthread_create(&thread, attributes, { WorkerThread.main($0) }, retained.toOpaque()) == 0 else {
            retained.release()
            return nil
        }
    }

    /// Runs a job, after the current one if that is about to end.
    func run(_ work: @escaping @Sendable () -> Void) {
        job.withLock { $0 = .run(work) }
        wakeUp.signal()
    }

    /// Ends the thread after its current job. Does not wait for it.
    func close() {
        job.withLock { $0 = .end }
        wakeUp.signal()
    }

    /// Lowers the priority to a nice value, unless it is lower. Raising it again would need a privilege.
    ///
    /// - Returns: whether the thread has that priority now or as soon as it runs, or a lower one.
    @discardableResult
    func lowerPriority(to nice: Int32) -> Bool {
        #if os(Linux)
        priority.withLock { priority in
            priority.nice = max(priority.nice, nice)
            guard let id = priority.id else { return true }
            return getpriority(Self.priorityOfProcess, id) >= nice || setpriority(Self.priorityOfProcess, id, nice) == 0
        }
        #else
        false
        #endif
    }

    #if os(Linux)
    /// PRIO_PROCESS, which has different types in the C libraries.
    private static let priorityOfProcess: Int32 = 0

    /// The identifier of the thread that calls this; nil if `/proc` does not have it.
    private static var currentID: id_t? {
        // Swift's C library modules do not export gettid(2). The link leads to PROCESS/task/THREAD.
        var buffer = [CChar](repeating: 0, count: 64)
        let count = readlink("/proc/thread-self", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.split(separator: "/").last.flatMap { id_t($0) }
    }
    #endif

    /// Sets the priority that was requested before the thread ran.
    private func setPriority() {
        #if os(Linux)
        let nice = priority.withLock { priority in
            priority.id = Self.currentID
            return priority.nice
        }
        if nice > 0 { lowerPriority(to: nice) }
        #endif
    }

    // The parameter is optional on Linux only.
    private static func main(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let pointer else { return nil }
        let thread = Unmanaged<WorkerThread>.fromOpaque(pointer).takeRetainedValue()
        thread.setPriority()
        while true {
            thread.wakeUp.wait()
            let job = thread.job.withLock { job in
                defer { if case .run = job { job = .none } }
                return job
            }
            switch job {
            case .none: continue
            case .run(let work): work()
            case .end: return nil
            }
        }
    }
}

/// The threads of this process for jobs that may block or take long, other than lookups and searches: reading files of
/// certificates, deriving keys. Event loops and Swift's thread pool must not be blocked by them.
final class WorkerPool: Sendable {
    static let shared = WorkerPool()

    /// The maximum number of threads. A file on a network that does not respond holds one.
    static let maxThreads = 8
    private static let maxIdle = 2
    /// The maximum number of jobs that wait for a thread.
    static let maxQueued = 1_024
    private static let stackSize = 1 << 20

    private struct State: Sendable {
        var queue = CircularBuffer<@Sendable () -> Void>()
        var idle: [WorkerThread] = []
        var busy = 0
    }

    private let state = Mutex(State())

    /// Starts a job, at once or when a thread is free.
    ///
    /// - Returns: false if too many jobs wait, or if the system allows no thread.
    func start(_ job: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.busy < Self.maxThreads,
                let thread = state.idle.popLast() ?? WorkerThread(stackSize: Self.stackSize)
            {
                state.busy += 1
                thread.run { [self] in work(on: thread, job) }
                return true
            }
            guard state.busy > 0, state.queue.count < Self.maxQueued else { return false }
            state.queue.append(job)
            return true
        }
    }

    /// Runs a job and returns its result; nil if it was not started.
    func run<Result: Sendable>(_ job: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            if !start({ continuation.resume(returning: job()) }) { continuation.resume(returning: nil) }
        }
    }

    /// Runs a job, and then the next ones in the queue.
    private func work(on thread: WorkerThread, _ first: @escaping @Sendable () -> Void) {
        var next: (@Sendable () -> Void)? = first
        while let job = next {
            job()
            next = state.withLock { state in
                if let job = state.queue.popFirst() { return job }
                state.busy -= 1
                if state.idle.count < Self.maxIdle { state.idle.append(thread) } else { thread.close() }
                return nil
            }
        }
    }
}
