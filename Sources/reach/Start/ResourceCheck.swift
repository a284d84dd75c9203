import LibC
import Probing

/// Whether the system gives the program what it cannot run without. Libraries trap, or wait for ever, where they get no
/// descriptor, thread or memory; so the program looks before it starts them.
enum ResourceCheck {
    /// The threads of the event loops, of tasks and of look-ups, with a reserve.
    private static let threads = 16
    /// The address space of their stacks, and of the heap.
    private static let addressSpace = 160 << 20
    /// A limit of processes below this one may be too low. Counting costs a millisecond, and is left out above it.
    private static let lowProcessLimit: UInt64 = 4_096

    /// The descriptors of event loops, three each, and of what each command opens besides.
    private static var descriptors: Int { 20 + 3 * min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 64) }

    /// Checks that the arguments can be read: Swift's runtime takes them from `/proc` on Linux.
    ///
    /// - Throws: ``TargetProblems``, one line.
    static func checkArguments() throws(TargetProblems) {
        #if os(Linux)
            // Swift's own look at them may trap.
            guard access("/proc/self/cmdline", R_OK) != 0 else { return }
        #else
            guard CommandLine.arguments.isEmpty else { return }
        #endif
        throw TargetProblems(lines: ["cannot read the arguments: /proc is not there – mount -t proc proc /proc"])
    }

    /// Checks what every command needs that starts threads.
    ///
    /// - Throws: ``TargetProblems``, one line.
    static func check() throws(TargetProblems) {
        let free = freeDescriptors
        guard free >= descriptors else {
            let problem = "too few file descriptors: \(free) are free, \(descriptors) are needed"
            throw TargetProblems(lines: ["\(problem) – ulimit -n 1024"])
        }
        guard hasAddressSpace else {
            let size = "\(addressSpace >> 20) MB are needed"
            throw TargetProblems(lines: ["too little address space: \(size) – ulimit -v unlimited"])
        }
        let count = startableThreads
        guard count >= threads else {
            let problem = "too few processes or threads: \(count) can be started, \(threads) are needed"
            throw TargetProblems(lines: ["\(problem) – ulimit -u, or the limit of the container (pids.max)"])
        }
    }

    /// How many descriptors can be opened once the limit is raised, as far as that matters. Raising it is left to what
    /// needs the descriptors.
    private static var freeDescriptors: Int {
        let limit = DescriptorLimit.current.raised
        guard limit < 1_024 else { return .max }
        return (0..<Int32(limit)).count { fcntl($0, F_GETFD) == -1 }
    }

    private static var hasAddressSpace: Bool {
        guard limit(.addressSpace) != nil else { return true }
        let space = mmap(nil, addressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard space != MAP_FAILED else { return false }
        munmap(space, addressSpace)
        return true
    }

    /// How many of the threads that are needed can be started, counted by starting them.
    private static var startableThreads: Int {
        let limits = [limit(.processes), containerLimit].compactMap(\.self)
        let isLow = limits.contains { $0 < lowProcessLimit } || limit(.addressSpace) != nil
        return isLow ? ThreadCount.startable(atMost: threads) : threads
    }

    private enum Limit { case addressSpace, processes }

    /// A limit of the process; nil where there is none.
    private static func limit(_ kind: Limit) -> UInt64? {
        var limit = rlimit()
        #if canImport(Glibc)
            let number =
                switch kind {
                case .addressSpace: __rlimit_resource_t(RLIMIT_AS.rawValue)
                // RLIMIT_NPROC of <sys/resource.h>, which Swift's `Glibc` leaves out.
                case .processes: __rlimit_resource_t(6)
                }
        #else
            let number =
                switch kind {
                case .addressSpace: RLIMIT_AS
                case .processes: RLIMIT_NPROC
                }
        #endif
        guard getrlimit(number, &limit) == 0, limit.rlim_cur < .max >> 1 else { return nil }
        return UInt64(limit.rlim_cur)
    }

    /// How many processes and threads the control group of this process may have (cgroup v2); nil where it may have any
    /// number, or does not say.
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

/// Counts threads by starting them. They wait for each other, so that all are there at the same time.
private enum ThreadCount {
    static func startable(atMost most: Int) -> Int {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        #if canImport(Darwin)
            var threads: [pthread_t?] = []
        #else
            var threads: [pthread_t] = []
        #endif
        for _ in 0..<most {
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
