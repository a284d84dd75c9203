import LibC
import Synchronization

/// Reserves file descriptors for commands that are being started.
///
/// swift-subprocess traps if it can open only some of its descriptors, so they are checked in advance.
enum DescriptorReservation {
    /// The maximum number for one start: three pipes, the process, and the descriptors that the library opens once.
    private static let perStart = 16

    /// The number of commands being started.
    private static let starts = Mutex(0)

    /// Reserves the descriptors for a start, and returns whether there are enough for it and for the other starts in
    /// progress. ``release()`` ends the reservation.
    static func acquire() -> Bool {
        starts.withLock { starts in
            guard canOpen((starts + 1) * perStart) else { return false }
            starts += 1
            return true
        }
    }

    /// Ends a reservation made by ``acquire()``.
    static func release() {
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
