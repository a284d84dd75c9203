import Foundation
import ReachProbing
import ReachReporting
import ReachSystem

/// Checks that the system provides the resources that the program needs. Libraries trap or block for ever without a
/// descriptor, thread or memory, so the program checks before it starts them.
enum ResourceCheck {
    /// The threads of event loops, tasks and name lookups, with a reserve.
    private static let threads = 16
    /// The address space of their stacks and of the heap, in bytes.
    private static let addressSpace = 160 << 20
    /// A process limit below this one may be too low. Counting takes a millisecond, and is skipped for higher limits.
    private static let lowProcessLimit: UInt64 = 4_096

    /// The descriptors of event loops, three each, and of everything else that each command opens.
    private static var descriptors: Int { 20 + 3 * min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 64) }

    /// Checks that the arguments can be read. On Linux, the Swift runtime reads them from `/proc`.
    ///
    /// - Throws: ``StartupError`` with one line.
    static func checkArguments() throws(StartupError) {
        #if os(Linux)
        // `CommandLine.arguments` may trap.
        guard access("/proc/self/cmdline", R_OK) != 0 else { return }
        #else
        guard CommandLine.arguments.isEmpty else { return }
        #endif
        throw StartupError("cannot read the arguments: /proc is not mounted – mount -t proc proc /proc")
    }

    /// Checks the resources of commands that start threads.
    ///
    /// - Throws: ``StartupError`` with one line.
    static func check() throws(StartupError) {
        let free = freeDescriptors
        guard free >= descriptors else {
            let problem = "too few file descriptors: \(free) are free, \(descriptors) are needed"
            throw StartupError("\(problem) – ulimit -n 1024")
        }
        guard hasAddressSpace else {
            let size = "\(addressSpace >> 20) MB are needed"
            throw StartupError("too little address space: \(size) – ulimit -v unlimited")
        }
        let count = startableThreads
        guard count >= threads else {
            let problem = "too few processes or threads: \(count) can be started, \(threads) are needed"
            throw StartupError("\(problem) – ulimit -u, or the limit of the container (pids.max)")
        }
    }

    /// The number of descriptors that can be opened after the limit is raised; `Int.max` if the limit is 1,024 or more. The
    /// commands that need the descriptors raise the limit themselves.
    private static var freeDescriptors: Int {
        let limit = DescriptorLimit.current.raised
        guard limit < 1_024 else { return .max }
        return (0..<Int32(limit)).count { fcntl($0, F_GETFD) == -1 }
    }

    private static var hasAddressSpace: Bool {
        guard LimitedResource.addressSpace.limit != nil else { return true }
        let space = mmap(nil, addressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard space != MAP_FAILED else { return false }
        munmap(space, addressSpace)
        return true
    }

    /// The number of the needed threads that can be started. They are started to count them if a limit is low.
    private static var startableThreads: Int {
        let limits = [LimitedResource.processes.limit, containerLimit].compactMap(\.self)
        let isLow = limits.contains { $0 < lowProcessLimit } || LimitedResource.addressSpace.limit != nil
        return isLow ? ThreadCount.startable(atMost: threads) : threads
    }

    /// The maximum number of processes and threads in the control group of this process (cgroup v2); nil without a limit or
    /// if it is not known.
    private static var containerLimit: UInt64? {
        for path in ["/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"] {
            guard let file = fopen(path, "re") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 32)
            guard fgets(&line, Int32(line.count), file) != nil else { continue }
            let digits = line.prefix { $0 >= 0x30 && $0 <= 0x39 }.map { UInt8(bitPattern: $0) }
            if let number = UInt64(String(decoding: digits, as: UTF8.self)) { return number }
        }
        return nil
    }
}

/// Counts threads by starting them. They block on a mutex, so that all exist at the same time.
private enum ThreadCount {
    static func startable(atMost limit: Int) -> Int {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        #if canImport(Darwin)
        var threads: [pthread_t?] = []
        #else
        var threads: [pthread_t] = []
        #endif
        for _ in 0..<limit {
            #if canImport(Darwin)
            var thread: pthread_t?
            #else
            var thread = pthread_t()
            #endif
            let code = pthread_create(&thread, nil, Self.wait, gate)
            guard code == 0 else { break }
            threads.append(thread)
        }
        pthread_mutex_unlock(gate)
        for thread in threads {
            #if canImport(Darwin)
            if let thread { pthread_join(thread, nil) }
            #else
            pthread_join(thread, nil)
            #endif
        }
        return threads.count
    }

    #if canImport(Darwin)
    private static let wait: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { gate in
        pass(gate)
        return nil
    }
    #else
    private static let wait: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { gate in
        if let gate { pass(gate) }
        return nil
    }
    #endif

    private static func pass(_ gate: UnsafeMutableRawPointer) {
        let gate = gate.assumingMemoryBound(to: pthread_mutex_t.self)
        pthread_mutex_lock(gate)
        pthread_mutex_unlock(gate)
    }
}

/// Settings of the memory allocator of the GNU C library. With other C libraries, nothing is changed.
enum Allocator {
    /// Makes all threads share one arena. By default, each of the first few has its own (mallopt(3)), which grows by one page
    /// per system call and does not share its freed memory.
    static func useOneArena() {
        #if canImport(Glibc)
        typealias SetOption = @convention(c) (_ option: CInt, _ value: CInt) -> CInt
        guard let symbol = dlsym(nil, "mallopt") else { return }
        // M_ARENA_MAX of <malloc.h>, which Swift's `Glibc` leaves out.
        _ = unsafeBitCast(symbol, to: SetOption.self)(-8, 1)
        #endif
    }

    /// Returns freed memory to the system, for example after reading thousands of targets. It takes a few milliseconds.
    static func releaseFreeMemory() {
        #if canImport(Glibc)
        typealias Trim = @convention(c) (_ pad: Int) -> CInt
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }
}

extension ProgramFigures {
    /// Measures the process: its processor time, memory and file descriptors. Memory and descriptors are those of `/proc`,
    /// which only Linux has; elsewhere they stay nil.
    mutating func measureProcess() {
        // In microseconds on every system (POSIX). With static Swift libraries, the members of timeval, which getrusage
        // returns, belong to a module that cannot be imported.
        let used = Int64(truncatingIfNeeded: clock())
        processorTime = used >= 0 ? .microseconds(used) : nil
        // proc_pid_statm(5): the size and the resident set, in pages.
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let pageSize = sysconf(CInt(_SC_PAGESIZE))
        virtualMemory = pages.flatMap { Int($0[0]) }.map { $0 * pageSize }
        residentMemory = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * pageSize }
        // The folder itself is open while it is read.
        openDescriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { $0.count - 1 }
        maximumDescriptors = Int(clamping: DescriptorLimit.current.soft)
    }
}
