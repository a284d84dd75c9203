import Monitoring

/// The marks of the vertical axis of a chart: round figures in one unit, and the limit of slow replies.
struct ChartGrid: Sendable {
    /// The marks by line, counted from the top. A mark is at the lower edge of its line; in a low chart, only the edges
    /// are marked.
    let marks: [Int: String]
    /// The line that contains the limit of slow replies, and its mark; nil if it is not on the scale, or in the line of
    /// the lower edge.
    let limit: (line: Int, mark: String)?

    /// Creates the marks of a scale on a number of lines.
    init(_ scale: ChartScale, height: Int, slow: Duration? = nil) {
        let lines = scale.linesPerStep ?? 1
        let largest = scale.linesPerStep == nil ? scale.top : scale.bottom + scale.step * ((height - 1) / lines)
        let axis = RoundTripAxis(top: largest, step: scale.step)
        var marks = [height - 1: axis.text(scale.bottom)]
        if let lines = scale.linesPerStep {
            for part in 1..<(height + lines - 1) / lines {
                marks[height - 1 - part * lines] = axis.text(scale.bottom + scale.step * part)
            }
        } else {
            marks[0] = axis.text(scale.top)
        }
        self.marks = marks
        limit = slow.flatMap { slow in
            guard let level = scale.level(ofNanoseconds: slow.nanoseconds, count: height), level > 0 else { return nil }
            return (height - 1 - level, RoundTripAxis(top: largest, step: slow).text(slow))
        }
    }
}
