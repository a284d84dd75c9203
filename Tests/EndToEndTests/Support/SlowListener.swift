import Foundation
import Synchronization

/// A TCP listener on every loopback address that greets each connection after a pause, during which the client holds a
/// descriptor.
final class SlowListener: Sendable {
    /// The greeting that the settings expect.
    static let greeting = "READY"

    let port: UInt16
    private let isClosing = Atomic(false)

    init(pause: Double) throws {
        Self.raiseLimit()
        let descriptor: Int32
        (port, descriptor) = try Listener.open(address: 0, backlog: 4_096)
        serve(descriptor, pause: pause)
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
    }

    private func serve(_ descriptor: Int32, pause: Double) {
        Thread.detachNewThread { [weak self] in
            var held: ArraySlice<(connection: Int32, time: Double)> = []
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            while self?.isClosing.load(ordering: .relaxed) == false {
                var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                poll(&polled, 1, 10)
                while true {
                    let connection = accept(descriptor, nil, nil)
                    guard connection >= 0 else { break }
                    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                    held.append((connection, wallTime() + pause))
                }
                let now = wallTime()
                while let (connection, time) = held.first, time <= now {
                    _ = send(connection, Self.greeting, Self.greeting.utf8.count, Int32(MSG_NOSIGNAL))
                    close(connection)
                    held.removeFirst()
                }
            }
            for (connection, _) in held { close(connection) }
            close(descriptor)
        }
    }

    /// Raises this process's descriptor limit, since it holds the connections too.
    private static func raiseLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 8_192))
        setrlimit(resource, &limit)
    }
}
