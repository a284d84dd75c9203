import ReachMonitoring

/// The validity period of a certificate, and the messages about it. All times are in seconds since 1970.
struct CertificateValidity: Sendable, Hashable {
    static let day: Int64 = 86_400

    let start: Int64
    let end: Int64

    /// Returns why a certificate is not valid now; nil if it is.
    ///
    /// - Parameter holder: The subject of the message, unless it is the peer itself.
    func failure(of holder: String? = nil, at now: Int64) -> Failure? {
        let subject = holder.map { "\($0) " } ?? ""
        let problem: String
        // Like BoringSSL, it is expired in the last second of its validity.
        if now >= end {
            problem = "expired \(Self.span(now - end)) ago"
        } else {
            guard now < start else { return nil }
            problem = "not valid before \(WallTime(start: .seconds(start)).timestamp(at: .zero).prefix(10))"
        }
        var failure = Failure(.certificateExpired, detail: subject + problem)
        failure.certificateExpiry = holder == nil ? end : nil
        return failure
    }

    /// Returns the remaining validity, as in `61 days`.
    static func remainder(until end: Int64, at now: Int64) -> String {
        now > end ? "expired \(span(now - end)) ago" : span(end - now)
    }

    /// Returns the warning about a certificate that expires soon; nil if it does not.
    static func concern(until end: Int64, at now: Int64, warnDays: Int?) -> String? {
        guard let warnDays, (end - now) / day <= warnDays else { return nil }
        return now > end ? "certificate expired \(span(now - end)) ago" : "certificate expires in \(span(end - now))"
    }

    /// Returns a span in whole days, or in hours below two days.
    private static func span(_ seconds: Int64) -> String {
        let (hours, days) = (seconds / 3_600, seconds / day)
        return if days > 1 { "\(days) days" } else if hours > 1 { "\(hours) hours" } else { "less than 2 hours" }
    }
}

extension Reply {
    /// Creates the reply of a server with a certificate; nil without one.
    init(_ certificate: AcceptedCertificate?, at now: Int64, _ options: TLSOptions, _ stopwatch: Stopwatch) {
        let expiry = certificate?.expiry
        self.init(
            roundTrip: stopwatch.roundTrip,
            phases: stopwatch.phases,
            detail: expiry.map { CertificateValidity.remainder(until: $0, at: now) },
            concern: expiry.flatMap { CertificateValidity.concern(until: $0, at: now, warnDays: options.warnDays) },
            certificateExpiry: expiry
        )
        self.certificate = certificate?.identity
    }
}

extension TLSContexts {
    /// The seconds since 1970, by the system's clock.
    static let systemTime: @Sendable () -> Int64 = { Duration.sinceEpoch.components.seconds }
}
