#if os(Linux)
import Foundation
import Synchronization

/// A link between two networks with a constant delay in both directions.
public final class DelayedLink: Sendable {
    private let isClosing = Atomic(false)

    /// - Parameters:
    /// - delay: the delay of each packet.
    /// - ends: the tunnels of the networks; they are closed with the last reference.
    public init(_ delay: Duration, between ends: (Tunnel, Tunnel)) {
        Thread.detachNewThread { [weak self] in
            var inFlight: [(due: ContinuousClock.Instant, end: Tunnel, packet: [UInt8])] = []
            while self?.isClosing.load(ordering: .relaxed) == false {
                var polled = [ends.0, ends.1].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
                poll(&polled, 2, inFlight.isEmpty ? 20 : 1)
                for (near, far) in [(ends.0, ends.1), (ends.1, ends.0)] {
                    while let packet = near.receive() { inFlight.append((.now + delay, far, packet)) }
                }
                // The delay is constant, so packets stay in order.
                while let first = inFlight.first, first.due <= .now {
                    first.end.send(first.packet)
                    inFlight.removeFirst()
                }
            }
            ends.0.close()
            ends.1.close()
        }
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
    }
}
#endif
