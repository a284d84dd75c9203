extension Int64 {
    /// The quotient, rounded down also for negative numbers, unlike that of `/`.
    ///
    /// - Precondition: The divisor is positive.
    @inlinable package func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The remainder of ``floorDivided(by:)``, which is never negative.
    @inlinable package func floorRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
