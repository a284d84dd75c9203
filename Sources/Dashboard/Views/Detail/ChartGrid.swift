import Monitoring

/// The marks of the vertical axis of a chart: round figures, as many as fit.
struct ChartGrid: Sendable, Hashable {
    /// The marks by line. A mark is in the line that begins at its level or contains it, and that of the lower edge in the
    /// lowest line.
    let marks: [Int: String]

    /// The least number of lines from one mark to the next.
    private static let distance = 2

    /// Creates the marks of a scale on a number of lines.
    init(_ scale: ChartScale, height: Int) {
        let axis = RoundTripAxis(top: scale.top, step: scale.step)
        guard height > 1 else {
            marks = [0: axis.text(scale.top)]
            return
        }
        var marks = [0: axis.text(scale.top), height - 1: axis.text(scale.bottom)]
        let parts = Int(((scale.top - scale.bottom) / scale.step).rounded())
        // The fewest marks are skipped whose distance is the same everywhere.
        let stride = (1...max(1, parts)).first { parts % $0 == 0 && height * $0 >= parts * Self.distance } ?? parts
        for part in Swift.stride(from: stride, to: parts, by: stride) {
            let line = part * height / parts
            guard line <= height - 1 - Self.distance else { break }
            marks[line] = axis.text(scale.top - scale.step * part)
        }
        self.marks = marks
    }
}
