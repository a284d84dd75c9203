/// Natural logarithms, computed without the C library: the pure modules do not import it.
enum Logarithms {
    static let log2 = 0.693_147_180_559_945_309_4

    /// The natural logarithm of a positive number, to about 1e-15.
    ///
    /// Splits the number into a power of two and a factor near one; for that, log x = 2 artanh((x − 1)/(x + 1)).
    static func log(_ x: Double) -> Double {
        guard x > 0 else { return -.infinity }
        guard x.isFinite else { return x }
        var (exponent, factor) = (Double(x.exponent), x.significand)
        if factor > 1.414_213_562_373_095 { (factor, exponent) = (factor / 2, exponent + 1) }
        let ratio = (factor - 1) / (factor + 1)
        let square = ratio * ratio
        var (term, sum) = (ratio, ratio)
        for divisor in stride(from: 3.0, through: 27, by: 2) {
            term *= square
            sum += term / divisor
        }
        return exponent * log2 + 2 * sum
    }

    /// e to the power `x`.
    static func exp(_ x: Double) -> Double {
        guard x > -740 else { return 0 }
        guard x < 709 else { return .infinity }
        let power = (x / log2).rounded()
        let rest = x - power * log2
        var (term, sum) = (1.0, 1.0)
        for divisor in 1...20 {
            term *= rest / Double(divisor)
            sum += term
        }
        // In two steps, since the power alone may be too small for a Double.
        let half = (power / 2).rounded(.down)
        return sum * Double(sign: .plus, exponent: Int(half), significand: 1)
            * Double(sign: .plus, exponent: Int(power - half), significand: 1)
    }

    /// log(e^one + e^other).
    static func logSum(_ one: Double, _ other: Double) -> Double {
        let (large, small) = (max(one, other), min(one, other))
        guard small > -.infinity else { return large }
        return large + log(1 + exp(small - large))
    }

    /// The logarithm of the gamma function of a positive number: Stirling's series (Abramowitz and Stegun 6.1.41) from
    /// ten upwards, the recurrence below.
    static func logGamma(_ x: Double) -> Double {
        var (x, product) = (x, 1.0)
        while x < 10 {
            product *= x
            x += 1
        }
        let (inverse, halfLogTau) = (1 / x, 0.918_938_533_204_672_741_8)
        let square = inverse * inverse
        let series = inverse / 12 * (1 - square / 30 * (1 - square * 2 / 7 * (1 - square * 3 / 4)))
        return (x - 0.5) * log(x) - x + halfLogTau + series - log(product)
    }

    /// The logarithm of the number of ways to choose `k` of `n`.
    static func logChoose(_ n: Int, _ k: Int) -> Double {
        guard k > 0, k < n else { return 0 }
        return logGamma(Double(n) + 1) - logGamma(Double(k) + 1) - logGamma(Double(n - k) + 1)
    }
}

// MARK: Single precision

extension Logarithms {
    /// The natural logarithms of eight positive numbers, to 1e-6 plus rounding.
    ///
    /// The same series as for one number, with four terms: the bits of the numbers have the powers of two.
    @inline(__always)
    static func log(_ x: SIMD8<Float>) -> SIMD8<Float> {
        // √½, where the factors are split.
        let halfRoot: UInt32 = 0x3F35_04F3
        let bits = unsafeBitCast(x, to: SIMD8<UInt32>.self) &- halfRoot
        let exponent = SIMD8<Float>(unsafeBitCast(bits, to: SIMD8<Int32>.self) &>> 23)
        let m = unsafeBitCast((bits & 0x007F_FFFF) &+ halfRoot, to: SIMD8<Float>.self)
        let s = (m - 1) / (m + 1)
        let q = s * s
        var series = q * (2 / 7) + 2 / 5
        series = series * q + 2 / 3
        series = series * q + 2
        return exponent * Float(log2) + s * series
    }

    /// The natural logarithm of a positive number.
    static func log(single x: Float) -> Float { Float(log(Double(x))) }

    /// e to the power `x`.
    static func exp(single x: Float) -> Float { Float(exp(Double(x))) }
}
