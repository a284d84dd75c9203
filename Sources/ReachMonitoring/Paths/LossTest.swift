/// Tests for losses in small samples. Both are exact, so that they hold for a handful of probes as well as for
/// hundreds.
///
/// Whether there is loss at all: the one-sided binomial test (Clopper and Pearson, Biometrika, 1934) against a rate
/// of noise. Whether two hops lose differently: Fisher's exact test (Fisher, Statistical Methods for Research
/// Workers, 1934), which needs no assumption about the rates. That a limit of a router's answers shows as loss that
/// does not go on, while the loss of a link does, is the model of FADER (Guo and Heidemann, "Detecting ICMP Rate
/// Limiting in the Internet", PAM 2018).
enum LossTest {
    /// A number of lost probes out of a number of finished ones.
    struct Sample: Sendable, Hashable {
        var lost: Int
        var finished: Int

        init(lost: Int, finished: Int) {
            self.lost = lost
            self.finished = finished
        }

        init(_ results: some Sequence<PathResult>) {
            self.init(lost: 0, finished: 0)
            for result in results {
                finished += 1
                if result.isLost { lost += 1 }
            }
        }

        var rate: Double { finished == 0 ? 0 : Double(lost) / Double(finished) }

        static func + (one: Sample, other: Sample) -> Sample {
            Sample(lost: one.lost + other.lost, finished: one.finished + other.finished)
        }
    }

    /// The loss that is noise: one in a hundred probes.
    static let noise = 0.01
    /// The largest probability with which noise is called loss.
    static let significance = 0.005

    /// Whether the losses are more than noise.
    static func isLossy(_ sample: Sample) -> Bool {
        sample.lost > 0 && upperTail(of: sample, rate: noise) < significance
    }

    /// The probability of at least `sample.lost` losses if each probe is lost with probability `rate`.
    static func upperTail(of sample: Sample, rate: Double) -> Double {
        guard sample.lost > 0 else { return 1 }
        var term = 1.0
        for _ in 0..<sample.finished { term *= 1 - rate }
        var below = 0.0
        for lost in 0..<sample.lost {
            below += term
            term *= Double(sample.finished - lost) / Double(lost + 1) * rate / (1 - rate)
        }
        return max(0, 1 - below)
    }

    /// The probability that `one` has so many of the losses of both if both lose at the same rate: Fisher's exact
    /// test, one-sided. A small value means that `one` loses more.
    static func probability(of one: Sample, losingAsMuchAs other: Sample) -> Double {
        let all = Hypergeometric(
            population: one.finished + other.finished,
            marked: one.lost + other.lost,
            selected: one.finished
        )
        return Logarithms.exp(all.logTail(one.lost))
    }
}
