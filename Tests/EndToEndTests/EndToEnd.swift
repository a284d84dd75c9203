import TestSupport
import Testing

/// Tests of the built program in terminals, with real sockets, processes and networks. They run one at a time, since
/// they measure times.
@Suite(.live, .timeLimit(.minutes(1))) struct EndToEnd {}
