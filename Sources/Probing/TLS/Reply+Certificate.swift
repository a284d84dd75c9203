import Monitoring

extension Reply {
    /// The reply of a server whose certificate expires at `expiry`, in seconds since 1970.
    init(expiry: Int64?, at now: Int64, _ options: TLSOptions, _ stopwatch: Stopwatch) {
        self.init(
            roundTrip: stopwatch.roundTrip,
            phases: stopwatch.phases,
            detail: expiry.map { CertificateLife.remainder(until: $0, at: now) },
            concern: expiry.flatMap { CertificateLife.concern(until: $0, at: now, warnDays: options.warnDays) },
            certificateExpiry: expiry
        )
    }
}
