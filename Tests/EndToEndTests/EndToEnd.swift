import Testing

/// The built program in terminals, with real sockets, processes and networks. One test at a time: they measure, and
/// share two cores with all others.
@Suite(.serialized, .timeLimit(.minutes(1))) struct EndToEnd {}
