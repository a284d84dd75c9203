package import Monitoring

extension WatchedSpan {
    /// The spans of a target in one run of the program.
    ///
    /// - Parameter events: the events of the target and of the program, in the order in which they happened.
    package static func spans(of events: some Sequence<HistoryEvent>, in run: ProgramRun) -> [WatchedSpan] {
        var spans = StoredSpans(of: run)
        for event in events { spans.add(event, of: 1) }
        return spans.byTarget[1] ?? []
    }
}
