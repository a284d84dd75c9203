#if os(Linux)
    import CEpoll
    import NIOCore
    import NIOPosix

    import LibC

    /// Hears of connections that are made, or fail, by an epoll of its own (epoll(7)). Confined to its event loop.
    ///
    /// SwiftNIO only wakes the loop, as it does for ``DatagramQueue``. Its channel for datagrams is woken by an epoll that has
    /// something to tell, learns that it is no socket (ENOTSOCK), and ends; its channel for pipes would trap.
    final class ConnectWatch {
        /// How many are told of in one go.
        static let batch = 64
        /// How long nobody listens where the process is out of descriptors.
        private static let patience = TimeAmount.milliseconds(20)

        private let poller: CInt
        private let loop: any EventLoop
        private let ring: () -> Void
        private var events = [epoll_event](repeating: epoll_event(), count: batch)
        /// What wakes the loop; nil while nothing does.
        private var bell: Bell?
        private var isPatient = false
        private var isOpen = true

        /// - Parameter ring: called when there is something to take, while somebody listens.
        init(on loop: any EventLoop, ring: @escaping () -> Void) throws {
            poller = epoll_create1(epoll_close_on_exec)
            guard poller >= 0 else { throw IOError(errnoCode: errno, reason: "epoll_create1") }
            self.loop = loop
            self.ring = ring
        }

        deinit {
            if isOpen { closeDescriptor(poller) }
        }

        /// Watches a socket until its connection is made or has failed, or it is closed.
        func add(_ descriptor: CInt, as ticket: Int) throws {
            var event = epoll_event()
            // Told once: a child that is being started may have the socket a little longer than we.
            event.events = epoll_writable_once
            event.data.u64 = UInt64(ticket)
            guard epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                throw IOError(errnoCode: errno, reason: "epoll_ctl")
            }
        }

        /// Takes the tickets of those that it is over with, each of them once; a few at a time, and none once there are none.
        func take() -> [Int] {
            guard isOpen else { return [] }
            let count = epoll_wait(poller, &events, CInt(Self.batch), 0)
            return events.prefix(max(0, Int(count))).map { Int($0.data.u64) }
        }

        /// Has the loop woken, once.
        func listen() {
            guard isOpen, bell == nil, !isPatient else { return }
            do {
                bell = try makeBell()
            } catch {
                isPatient = true
                let bound = NIOLoopBound(self, eventLoop: loop)
                loop.scheduleTask(in: Self.patience) {
                    bound.value.isPatient = false
                    bound.value.ring()
                }
            }
        }

        /// Closes it. Nothing is heard of it any more.
        func close() {
            guard isOpen else { return }
            isOpen = false
            let channel = bell?.channel
            bell = nil
            channel?.close(promise: nil)
            closeDescriptor(poller)
        }

        private func makeBell() throws -> Bell {
            let watched = fcntl(poller, F_DUPFD_CLOEXEC, 0)
            guard watched >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
            let bell = Bell { [weak self] in self?.ended($0) }
            let handler = NIOLoopBound(bell, eventLoop: loop)
            let opening = DatagramBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(handler.value)
                    }
                }
                .withBoundSocket(watched)
            var opened: Result<any Channel, any Error>?
            // On the event loop a descriptor is registered at once, or else closed.
            opening.assumeIsolated().whenComplete { opened = $0 }
            bell.channel = try opened?.get()
            return bell
        }

        private func ended(_ bell: Bell) {
            guard bell === self.bell else { return }
            self.bell = nil
            ring()
        }

        /// Tells that its channel has ended.
        private final class Bell: ChannelInboundHandler {
            typealias InboundIn = AddressedEnvelope<ByteBuffer>

            var channel: (any Channel)?
            private let ended: (Bell) -> Void

            init(ended: @escaping (Bell) -> Void) {
                self.ended = ended
            }

            func errorCaught(context: ChannelHandlerContext, error: any Error) {
                // That it is no socket is why it ends.
            }

            func channelInactive(context: ChannelHandlerContext) {
                channel = nil
                ended(self)
            }
        }
    }
#endif
