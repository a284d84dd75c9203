import TestSupport
import Testing

/// Tests of the built program in terminals, with real sockets, processes and networks. A few of them run at once.
@Suite(.live, .timeLimit(.minutes(1))) struct EndToEnd {}
