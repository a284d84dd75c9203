import Monitoring

/// When a certificate is valid, and what is said of that. All times are in seconds since 1970.
struct CertificateLife: Sendable, Hashable {
    static let day: Int64 = 86_400

    let start: Int64
    let end: Int64

    /// Why a certificate is not valid now; nil if it is.
    func failure(of holder: String? = nil, at now: Int64) -> Failure? {
        let subject = holder.map { "\($0) " } ?? ""
        if now > end {
            return Failure(.certificateExpired, detail: "\(subject)expired \(Self.span(now - end)) ago")
        }
        guard now < start else { return nil }
        let date = WallTime(start: .seconds(start)).timestamp(at: .zero).prefix(10)
        return Failure(.certificateExpired, detail: "\(subject)not valid before \(date)")
    }

    /// How long a certificate with this end is still valid: `61 days`.
    static func remainder(until end: Int64, at now: Int64) -> String {
        now > end ? "expired \(span(now - end)) ago" : span(end - now)
    }

    /// Why a certificate with this end is a cause for concern; nil if it is not.
    static func concern(until end: Int64, at now: Int64, warnDays: Int?) -> String? {
        guard let warnDays, (end - now) / day <= warnDays else { return nil }
        return now > end ? "certificate expired \(span(now - end)) ago" : "certificate expires in \(span(end - now))"
    }

    /// A span in whole days, below two in hours.
    private static func span(_ seconds: Int64) -> String {
        let (hours, days) = (seconds / 3_600, seconds / day)
        return if days > 1 { "\(days) days" } else if hours > 1 { "\(hours) hours" } else { "less than 2 hours" }
    }
}
