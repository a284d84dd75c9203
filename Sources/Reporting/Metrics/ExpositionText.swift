/// The text of an exposition as a sequence of parts of bounded size. The text of ten thousand targets (30 MB with
/// histograms) is never in memory as a whole.
public struct ExpositionText: Sequence, IteratorProtocol, Sendable {
    private let exposition: Exposition
    private let format: MetricsFormat
    private var families: ArraySlice<MetricFamily>
    private var row = 0
    private var hasEnded = false

    /// The number of targets in a part.
    private static let rowsInPart = 100

    init(_ exposition: Exposition, in format: MetricsFormat) {
        self.exposition = exposition
        self.format = format
        families =
            MetricFamily.all(in: exposition.detail).filter { family in
                (!family.isOfSources || !exposition.program.sources.isEmpty)
                    && (!family.isOfModules || exposition.program.hasModules)
            }[...]
    }

    /// The next part; nil after the last.
    public mutating func next() -> String? {
        guard let family = families.first else {
            guard !hasEnded, format == .openMetrics else { return nil }
            hasEnded = true
            return "# EOF\n"
        }
        var samples = Samples(of: family, in: exposition.detail)
        if row == 0 {
            samples.text += family.header(format, in: exposition.detail)
            samples.add(exposition.program)
            if family == .targets { samples.addGroups(of: exposition.rows) }
        }
        if family.isOfTargets {
            for row in exposition.rows.dropFirst(row).prefix(Self.rowsInPart) { samples.add(row) }
            row += Self.rowsInPart
        }
        if !family.isOfTargets || row >= exposition.rows.count {
            row = 0
            families.removeFirst()
        }
        return samples.text
    }
}
