import Foundation
import Synchronization

/// A TCP listener that holds its connections until it resets them, on this machine or in a network namespace.
final class HoldingListener: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let held = Mutex<[Int32]>([])

    /// Listens on every address of the network.
    init(in network: Namespace? = nil) throws {
        let listening = try Self.onThread { try Self.listen(in: network) }
        (descriptor, port) = listening
        // An accepted connection belongs to the network of the listening socket, not of the accepting thread.
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listening.descriptor, nil, nil)
                guard connection >= 0 else { break }
                guard let self else {
                    close(connection)
                    break
                }
                held.withLock { $0.append(connection) }
            }
            close(listening.descriptor)
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        for connection in held.withLock(\.self) { close(connection) }
    }

    /// Resets every connection: closing with a linger time of zero sends RST.
    func reset() {
        let connections = held.withLock { held in
            defer { held = [] }
            return held
        }
        for connection in connections {
            var abort = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
            close(connection)
        }
    }

    private static func listen(in network: Namespace?) throws -> (descriptor: Int32, port: UInt16) {
        if let network {
            // A socket belongs to the network namespace of the thread that creates it.
            let file = open("/run/netns/\(network.name)", O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            let newNetwork: Int32 = 0x4000_0000
            guard enter?(file, newNetwork) == 0 else { throw TestFailure(description: "setns: \(errno)") }
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && Glibc.listen(descriptor, 16) == 0
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isListening else {
            close(descriptor)
            throw TestFailure(description: "no free port")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Runs a closure on a new thread and returns its result, so that `setns(2)` affects no other thread.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let outcome = Result { try body() }
            result.withLock { $0 = outcome }
            end.signal()
        }
        end.wait()
        guard let outcome = result.withLock(\.self) else { throw TestFailure(description: "no result") }
        return try outcome.get()
    }

    /// `setns(2)`, which the C importer does not provide. It takes CLONE_NEWNET.
    private static let enter = dlsym(nil, "setns").map {
        unsafeBitCast($0, to: (@convention(c) (Int32, Int32) -> Int32).self)
    }
}

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
