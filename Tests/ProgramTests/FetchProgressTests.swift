import Monitoring
import Screen
import Testing

@testable import reach

/// The progress line of a fetch.
@Suite struct FetchProgressTests {
    private func line(_ stage: FetchProgress.Stage, at seconds: Double = 10, columns: Int = 79) -> String {
        FetchProgress(stage: stage, since: .seconds(2)).line(at: .seconds(seconds), columns: columns, isASCII: true)
    }

    @Test func `each stage has its text`() {
        #expect(
            line(.waiting(for: "example.com:443", because: "refused"))
                == "waiting for example.com:443: refused  8s"
        )
        #expect(line(.requesting) == "requesting  8s")
        #expect(line(.pausing(until: .seconds(11.5), because: "HTTP 503")) == "HTTP 503; again in 1.5s")
        #expect(line(.pausing(until: .seconds(9), because: "HTTP 503")) == "HTTP 503; again in 0.0s")
    }

    @Test func `a body of known length has a bar and the remaining time`() {
        #expect(
            line(.receiving(45_000_000, of: 100_000_000, since: .seconds(1)))
                == "#############----------------  45%  45 MB of 100 MB  5.0 MB/s  11s left"
        )
        #expect(line(.receiving(0, of: 100, since: .seconds(10))).hasSuffix("   0%  0 B of 100 B"))
        let whole = line(.receiving(100, of: 100, since: .zero))
        #expect(whole.hasPrefix("####") && whole.hasSuffix("# 100%  100 B of 100 B  10 B/s"))
    }

    @Test func `a server that sends more than its Content-Length does not break the bar`() {
        #expect(line(.receiving(300, of: 100, since: .zero)).contains("# 100%  300 B of 100 B"))
        #expect(line(.receiving(300, of: 0, since: .zero)) == "300 B  30 B/s")
        #expect(line(.receiving(.max, of: nil, since: .zero)).hasPrefix("9223 PB"))
        #expect(line(.receiving(.max, of: .max, since: .zero), at: 100_000).count <= 79)
    }

    @Test func `a body without a length has no bar`() {
        #expect(line(.receiving(45_000, of: nil, since: .seconds(1))) == "45 kB  5.0 kB/s")
    }

    @Test(arguments: [20, 25, 40, 60, 79, 200])
    func `the line is never wider than the terminal`(_ columns: Int) {
        let cause = String(repeating: "ü界", count: 200)
        for stage in [
            FetchProgress.Stage.waiting(for: "example.com:443", because: cause),
            .pausing(until: .seconds(99), because: cause), .receiving(45_000_000, of: 100_000_000, since: .seconds(1)),
        ] {
            #expect(line(stage, columns: columns).displayWidth <= columns)
        }
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_949, "9.9 kB"), (9_950, "10 kB"), (999_499, "999 kB"),
            (999_500, "1.0 MB"), (123_456_789, "123 MB"), (1_100_000_000, "1.1 GB"), (-5, "0 B"),
        ] as [(Int64, String)]
    )
    func `bytes have three significant figures at most`(_ count: Int64, _ text: String) {
        #expect(count.bytesText == text)
    }
}
