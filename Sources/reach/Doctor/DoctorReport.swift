import ReachBasics
import ReachMonitoring
import ReachProbing

/// The report of `reach doctor`: the checks of a diagnosis and of the terminal.
struct DoctorReport {
    let diagnosis: Diagnosis
    let environment: TerminalEnvironment

    /// The checks, in the order in which problems are best fixed.
    var checks: [DoctorCheck] {
        [Family.v4, .v6].map(echo) + [paths] + [Family.v4, .v6].map(route) + diagnosis.lookups.map(lookup)
            + [descriptors] + environment.checks
    }

    private func echo(_ family: Family) -> DoctorCheck {
        let subject = "ICMP over IPv\(family.rawValue)"
        switch diagnosis.echo[family] {
        case .datagram:
            return DoctorCheck(status: .ok, subject: subject, detail: "permitted, by an unprivileged datagram socket")
        case .raw:
            return DoctorCheck(status: .ok, subject: subject, detail: "permitted, by a raw socket")
        case .refused(let fault) where fault.problem == .permission || family == .v4:
            let fixes = fault.cures.map(environment.asRoot)
            return DoctorCheck(status: .problem, subject: subject, detail: fault.detail, fixes: fixes)
        case .refused(let fault):
            return DoctorCheck(status: .absent, subject: subject, detail: fault.detail)
        case nil:
            return DoctorCheck(status: .absent, subject: subject, detail: "not tried")
        }
    }

    /// Which methods trace paths. The fix for ICMP is that of echo requests.
    private var paths: DoctorCheck {
        let refused = diagnosis.refusedPaths
        let allowed = PathMethod.allCases.filter { refused[$0] == nil }.map { $0.rawValue.uppercased() }
        guard let last = allowed.last else {
            let detail = refused[.udp]?.detail ?? "not supported"
            return DoctorCheck(status: .absent, subject: "Paths", detail: detail)
        }
        let list = allowed.dropLast().isEmpty ? last : "\(allowed.dropLast().joined(separator: ", ")) and \(last)"
        let rest = PathMethod.allCases.compactMap { method in
            refused[method].map { "; not by \(method.rawValue.uppercased()): \($0.detail)" }
        }
        let status: DoctorCheck.Status = rest.isEmpty ? .ok : .absent
        return DoctorCheck(status: status, subject: "Paths", detail: "traced by \(list)\(rest.joined())")
    }

    private func route(_ family: Family) -> DoctorCheck {
        let subject = "Route over IPv\(family.rawValue)"
        if let route = diagnosis.routes[family] {
            let link = route.kind.map { "\(route.interface), \($0)" } ?? route.interface
            return DoctorCheck(status: .ok, subject: subject, detail: "\(link), source \(route.source)")
        }
        guard diagnosis.routes.isEmpty, family == .v4 else {
            return DoctorCheck(status: .absent, subject: subject, detail: "no default route")
        }
        guard !diagnosis.links.isEmpty else {
            return DoctorCheck(status: .problem, subject: subject, detail: "no network interface except loopback")
        }
        let broken = diagnosis.links.filter { $0.problem != nil }
        guard broken.count == diagnosis.links.count else {
            let fix = environment.asRoot("ip route add default via ROUTER")
            return DoctorCheck(status: .problem, subject: subject, detail: "no default route", fixes: [fix])
        }
        return DoctorCheck(
            status: .problem,
            subject: subject,
            detail: broken.compactMap(\.problem).joined(separator: ", "),
            fixes: broken.map { environment.asRoot("ip link set \($0.name) up") }
        )
    }

    private func lookup(_ lookup: Diagnosis.Lookup) -> DoctorCheck {
        let isLocal = lookup.name == "localhost"
        let subject = isLocal ? "Local names" : "Resolver"
        let time = lookup.duration.roundTripText
        if !lookup.addresses.isEmpty {
            let detail = "\(lookup.name): \(lookup.addresses.prefix(2).joined(separator: ", ")) in \(time)"
            return DoctorCheck(status: .ok, subject: subject, detail: detail)
        }
        if isLocal {
            return DoctorCheck(
                status: .problem,
                subject: subject,
                detail: "localhost has no address",
                fixes: [#"echo "127.0.0.1 localhost" | "# + environment.asRoot("tee -a /etc/hosts")]
            )
        }
        // The resolver works, but the name may be misspelt, or known to another resolver only.
        if lookup.failure?.reason == .nameNotFound {
            let detail = "replied in \(time): \(lookup.failure?.detail ?? "")"
            return DoctorCheck(status: .absent, subject: subject, detail: detail)
        }
        let targets = diagnosis.resolvers.flatMap { server in
            ["icmp://\(server)", "dns://\(server.bracketed)/\(lookup.name)"]
        }
        return DoctorCheck(
            status: .problem,
            subject: subject,
            detail: "lookup of \(lookup.name) by \(diagnosis.resolvers.joined(separator: ", ")) failed in \(time)",
            // The command shows which resolver fails. The fix is on another machine.
            fixes: ["reach watch \(targets.joined(separator: " "))"]
        )
    }

    private var descriptors: DoctorCheck {
        let limit = diagnosis.descriptors
        let raise = limit.raised > limit.soft ? ", raised to \(limit.raised) at start" : ""
        let isEnough = limit.raised >= 256
        return DoctorCheck(
            status: isEnough ? .ok : .problem,
            subject: "Descriptors",
            detail: "\(limit.soft), hard limit \(limit.hard)\(raise)\(isEnough ? "" : ", too few for many targets")",
            fixes: isEnough ? [] : [environment.asRoot("prlimit --pid $$ --nofile=65536:65536")]
        )
    }
}

/// The result of one check of `reach doctor`.
struct DoctorCheck: Sendable, Hashable {
    /// The status of a check, as it is printed.
    enum Status: String, Sendable, Hashable {
        /// No problem.
        case ok
        /// Missing, but not needed by most users.
        case absent = "--"
        /// A problem.
        case problem = "!!"
    }

    let status: Status
    /// The subject of the check, such as `ICMP over IPv4`.
    let subject: String
    /// The finding, as text.
    let detail: String
    /// The commands that fix the problem, each of them sufficient.
    var fixes: [String] = []

    /// The line of the report, followed by a line for each fix.
    var text: String {
        let margin = String(repeating: " ", count: 22)
        let subject = subject + String(repeating: " ", count: max(1, 18 - subject.count))
        let lines = fixes.enumerated().map { index, fix in "\(margin)\(index == 0 ? "" : "or ")\(fix)" }
        return (["\(status.rawValue)  \(subject)\(detail)"] + lines).joined(separator: "\n")
    }
}
