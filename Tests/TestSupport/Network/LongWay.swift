#if os(Linux)
    import Foundation
    import Synchronization

    /// A way between two networks on which every packet takes the same time, in either direction.
    public final class LongWay: Sendable {
        private let isClosing = Atomic(false)

        /// - Parameters:
        ///   - delay: how long a packet is on its way.
        ///   - ends: the tunnels of the networks; they are closed with the last reference.
        public init(_ delay: Duration, between ends: (Tunnel, Tunnel)) {
            Thread.detachNewThread { [weak self] in
                var underWay: [(due: ContinuousClock.Instant, end: Tunnel, packet: [UInt8])] = []
                while self?.isClosing.load(ordering: .relaxed) == false {
                    var polled = [ends.0, ends.1].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
                    poll(&polled, 2, underWay.isEmpty ? 20 : 1)
                    for (near, far) in [(ends.0, ends.1), (ends.1, ends.0)] {
                        while let packet = near.receive() { underWay.append((.now + delay, far, packet)) }
                    }
                    // All are equally slow, and so none overtakes another.
                    while let first = underWay.first, first.due <= .now {
                        first.end.send(first.packet)
                        underWay.removeFirst()
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
