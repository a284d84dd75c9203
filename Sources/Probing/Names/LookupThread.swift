import Dispatch
import LibC
import Synchronization

/// A thread that runs one blocking lookup at a time. Its stack is small, since an unresponsive resolver requires many
/// threads. The system may refuse a thread.
final class LookupThread: Sendable {
    /// The stack size in bytes, more than the C library's resolver and its modules need. Only touched pages take
    /// memory.
    private static let stackSize = 256 << 10

    private enum Job: Sendable {
        case none
        case run(@Sendable () -> Void)
        case end
    }

    private let job = Mutex(Job.none)
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Starts a thread; nil if the system allows no more.
    init?() {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(attributes, Self.stackSize)
        let retained = Unmanaged.passRetained(self)
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(&thread, attributes, { LookupThread.main($0) }, retained.toOpaque())
        #elseif canImport(Musl)
        var thread: pthread_t?
        let code = pthread_create(
            &thread,
            attributes,
            { $0.flatMap { LookupThread.main($0) } },
            retained.toOpaque()
        )
        #else
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            attributes,
            { $0.flatMap { LookupThread.main($0) } },
            retained.toOpaque()
        )
        #endif
        guard code == 0 else {
            retained.release()
            return nil
        }
    }

    /// Runs a job. The previous one must have ended.
    func run(_ work: @escaping @Sendable () -> Void) {
        job.withLock { $0 = .run(work) }
        wakeUp.signal()
    }

    /// Ends the thread after its current job. Does not wait for it.
    func close() {
        job.withLock { $0 = .end }
        wakeUp.signal()
    }

    private static func main(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let thread = Unmanaged<LookupThread>.fromOpaque(pointer).takeRetainedValue()
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
