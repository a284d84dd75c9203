import Reporting
import Testing

@Suite struct MetricsFormatTests {
    @Test(
        arguments: [
            (nil, .text),
            ("", .text),
            ("*/*", .text),
            ("text/plain;version=0.0.4", .text),
            ("application/openmetrics-text", .openMetrics),
            ("application/openmetrics-text; version=1.0.0; charset=utf-8", .openMetrics),
            ("APPLICATION/OpenMetrics-Text; Version=\"1.0.0\"", .openMetrics),
            ("application/openmetrics-text; version=2.0.0", .text),
            ("application/openmetrics-text; version=2.0.0, application/openmetrics-text;version=0.0.1", .openMetrics),
            ("application/openmetrics-text;q=0", .text),
            ("application/openmetrics-text;q=0.2, text/plain;q=0.9", .text),
            ("text/plain;q=0.5,*/*;q=0.1,application/openmetrics-text;version=1.0.0;q=0.5", .openMetrics),
            ("application/openmetrics-text;q=x", .text),
            (";;,=;q,,", .text),
            // The header of Prometheus 2.42.
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                    + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics
            ),
        ] as [(String?, MetricsFormat)]
    )
    func `the format is the one that the client prefers`(_ accept: String?, _ format: MetricsFormat) {
        #expect(MetricsFormat(accepting: accept) == format)
    }
}
