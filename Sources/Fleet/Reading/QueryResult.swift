/// The answer of a server to a query.
package struct QueryResult: Sendable, Hashable {
    /// The series, at most as many as the limit of the query.
    package var samples: [MetricSample] = []
    /// The texts of an answer that is a list, such as the values of a label.
    package var texts: [String] = []
    /// Whether the answer has more series or texts than the limit of the query; the rest was skipped.
    package var isCutOff = false
    /// What the server warns of.
    package var warnings: [String] = []
    /// The number of texts that were longer than 64 KiB, of which only the beginning was kept.
    package var cutTexts = 0
    /// How long the server calculated; nil if it does not report that.
    package var cost: Duration?
    /// The number of bytes of the answer, after decompression.
    package var length = 0

    package init(samples: [MetricSample] = []) {
        self.samples = samples
    }

    /// The time of an instant query by the server's clock, in seconds since 1970; nil without a series.
    package var time: Double? { samples.first?.points.last?.time }
}
