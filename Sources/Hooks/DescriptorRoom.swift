import LibC
import Synchronization

/// The file descriptors that commands need while they start.
///
/// swift-subprocess traps where it gets only some of them, so that they are counted before.
enum DescriptorRoom {
    /// How many one start takes at the most: three pipes, the process, and what the library opens once for all.
    private static let perStart = 16

    /// How many commands are starting.
    private static let starts = Mutex(0)

    /// Begins a start, if there are descriptors for it and for those under way. ``leave()`` ends it.
    static func enter() -> Bool {
        starts.withLock { starts in
            guard canOpen((starts + 1) * perStart) else { return false }
            starts += 1
            return true
        }
    }

    /// Ends a start that ``enter()`` began.
    static func leave() {
        starts.withLock { $0 -= 1 }
    }

    private static func canOpen(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<count {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            opened.append(descriptor)
        }
        return true
    }
}
