#if os(Linux)
    /// Whom the queue of a socket tells what comes of it.
    struct DatagramListener {
        /// Takes in a datagram.
        let hear: (DatagramReading) -> Void
        /// Takes in what came back about a datagram of this very socket: its beginning, whom it was for, and why.
        let refuse: (DatagramReading, ExtendedError) -> Void
        /// What was read in one go has been handed over.
        var batchEnded: () -> Void = {}
        /// The socket has been closed.
        var ended: () -> Void = {}
    }
#endif
