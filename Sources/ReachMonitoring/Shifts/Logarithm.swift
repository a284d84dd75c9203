/// Natural logarithms in single precision, without Foundation.
///
/// The argument is split into 2^e · m with m in √½…√2. Then ln x = e · ln 2 + 2 · artanh(s), where s = (m − 1) / (m + 1),
/// by the first terms of the series s + s³/3 + s⁵/5 + … The absolute error is below 1e-6 plus rounding.
enum Logarithm {
    private static let ln2: Float = 0.693_147_18
    private static let (c3, c5, c7): (Float, Float, Float) = (2 / 3, 2 / 5, 2 / 7)
    /// The bits of √½, where the mantissa is split.
    private static let split: UInt32 = 0x3F35_04F3

    /// The logarithms of eight positive numbers.
    @inline(__always)
    static func ln(_ x: SIMD8<Float>) -> SIMD8<Float> {
        let bits = unsafeBitCast(x, to: SIMD8<UInt32>.self) &- split
        let exponent = SIMD8<Float>(unsafeBitCast(bits, to: SIMD8<Int32>.self) &>> 23)
        let m = unsafeBitCast((bits & 0x007F_FFFF) &+ split, to: SIMD8<Float>.self)
        let s = (m - 1) / (m + 1)
        let q = s * s
        var series = q * c7 + c5
        series = series * q + c3
        series = series * q + 2
        return exponent * ln2 + s * series
    }

    /// The logarithm of a positive number.
    @inline(__always)
    static func ln(_ x: Float) -> Float {
        let bits = x.bitPattern &- split
        let exponent = Float(Int32(bitPattern: bits) &>> 23)
        let m = Float(bitPattern: (bits & 0x007F_FFFF) &+ split)
        let s = (m - 1) / (m + 1)
        let q = s * s
        var series = q * c7 + c5
        series = series * q + c3
        series = series * q + 2
        return exponent * ln2 + s * series
    }

    /// The exponential function, for |x| up to 80.
    ///
    /// 2^n by the exponent bits; the rest, at most ½ ln 2, by the series up to the sixth power.
    static func exp(_ x: Float) -> Float {
        let n = (x / ln2).rounded()
        // ln 2 in two parts, so that the difference is exact to single precision.
        let r = (x - n * 0.693_359_4) + n * 2.121_944_4e-4
        var series: Float = 1 / 720
        for factorial: Float in [120, 24, 6, 2, 1, 1] { series = series * r + 1 / factorial }
        return series * Float(bitPattern: UInt32(bitPattern: Int32(n) &+ 127) &<< 23)
    }
}
