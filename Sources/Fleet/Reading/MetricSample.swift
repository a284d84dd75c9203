/// One series of a result: its labels and its values.
package struct MetricSample: Sendable, Hashable {
    /// A value at a time.
    package struct Point: Sendable, Hashable {
        /// The time by the server's clock, in seconds since 1970.
        package let time: Double
        /// The value; NaN and infinities are possible.
        package let value: Double

        package init(time: Double, value: Double) {
            self.time = time
            self.value = value
        }
    }

    /// The labels, with the name of the metric as `__name__`.
    package var labels: [String: String]
    /// The values by time: one of an instant query, several of a range query.
    package var points: [Point]

    package init(labels: [String: String], points: [Point]) {
        self.labels = labels
        self.points = points
    }

    /// The value of an instant query, or the newest one of a range query.
    package var value: Double { points.last?.value ?? .nan }

    /// The value of a label; an empty label is the same as none (Prometheus, "Data model").
    package func label(_ name: String) -> String? {
        labels[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
