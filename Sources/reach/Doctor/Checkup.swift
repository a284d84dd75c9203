import Monitoring
import Probing

/// What `reach doctor` says of a diagnosis.
struct Checkup {
    let diagnosis: Diagnosis
    let surroundings: Surroundings

    /// What was looked at, in the order in which a person mends it.
    var lines: [CheckupLine] {
        [Family.v4, .v6].map(echo) + [Family.v4, .v6].map(way) + diagnosis.lookups.map(name)
            + [descriptors] + surroundings.lines
    }

    private func echo(_ family: Family) -> CheckupLine {
        let subject = "ICMP over IPv\(family.rawValue)"
        switch diagnosis.echo[family] {
        case .datagram:
            return CheckupLine(mark: .ok, subject: subject, words: "by a datagram socket, which takes no privilege")
        case .raw:
            return CheckupLine(mark: .ok, subject: subject, words: "by a raw socket, as this user may")
        case .refused(let fault) where fault.problem == .permission || family == .v4:
            let cures = fault.cures.map(surroundings.asRoot)
            return CheckupLine(mark: .problem, subject: subject, words: fault.detail, cures: cures)
        case .refused(let fault):
            return CheckupLine(mark: .absent, subject: subject, words: fault.detail)
        case nil:
            return CheckupLine(mark: .absent, subject: subject, words: "not tried")
        }
    }

    private func way(_ family: Family) -> CheckupLine {
        let subject = "Way out by IPv\(family.rawValue)"
        if let way = diagnosis.ways[family] {
            let link = way.kind.map { "\(way.interface), \($0)" } ?? way.interface
            return CheckupLine(mark: .ok, subject: subject, words: "\(link), from \(way.source)")
        }
        guard diagnosis.ways.isEmpty, family == .v4 else {
            return CheckupLine(mark: .absent, subject: subject, words: "no default route")
        }
        guard !diagnosis.links.isEmpty else {
            return CheckupLine(mark: .problem, subject: subject, words: "this machine has no interface but loopback")
        }
        let broken = diagnosis.links.filter { $0.trouble != nil }
        guard broken.count == diagnosis.links.count else {
            let cure = surroundings.asRoot("ip route add default via ROUTER")
            return CheckupLine(mark: .problem, subject: subject, words: "no default route", cures: [cure])
        }
        return CheckupLine(
            mark: .problem,
            subject: subject,
            words: broken.compactMap(\.trouble).joined(separator: ", "),
            cures: broken.map { surroundings.asRoot("ip link set \($0.name) up") }
        )
    }

    private func name(_ lookup: Diagnosis.Lookup) -> CheckupLine {
        let isLocal = lookup.name == "localhost"
        let subject = isLocal ? "Local names" : "Resolver"
        let time = lookup.duration.inMilliseconds
        if !lookup.addresses.isEmpty {
            let words = "\(lookup.name) is \(lookup.addresses.prefix(2).joined(separator: ", ")), in \(time)"
            return CheckupLine(mark: .ok, subject: subject, words: words)
        }
        if isLocal {
            return CheckupLine(
                mark: .problem,
                subject: subject,
                words: "localhost has no address",
                cures: [#"echo "127.0.0.1 localhost" | "# + surroundings.asRoot("tee -a /etc/hosts")]
            )
        }
        // A name that does not exist is an answer too.
        if lookup.failure?.reason == .nameNotFound {
            let words = "it answers, in \(time): \(lookup.failure?.detail ?? "")"
            return CheckupLine(mark: .ok, subject: subject, words: words)
        }
        let asking = diagnosis.resolvers.flatMap { server in
            ["icmp://\(server)", "dns://\(Self.bracketed(server))/\(lookup.name)"]
        }
        return CheckupLine(
            mark: .problem,
            subject: subject,
            words: "no answer for \(lookup.name) from \(diagnosis.resolvers.joined(separator: ", ")), in \(time)",
            // Which of them is to blame; what has to be mended is another machine.
            cures: ["reach watch \(asking.joined(separator: " "))"]
        )
    }

    private var descriptors: CheckupLine {
        let limit = diagnosis.descriptors
        let raise = limit.raised > limit.soft ? ", raised to \(limit.raised) at start" : ""
        let isEnough = limit.raised >= 256
        return CheckupLine(
            mark: isEnough ? .ok : .problem,
            subject: "Descriptors",
            words: "\(limit.soft) of at most \(limit.hard)\(raise)\(isEnough ? "" : ", too few for many targets")",
            cures: isEnough ? [] : [surroundings.asRoot("prlimit --pid $$ --nofile=65536:65536")]
        )
    }

    private static func bracketed(_ host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }
}

extension Duration {
    fileprivate var inMilliseconds: String {
        "\(Int((self / .milliseconds(1)).rounded())) ms"
    }
}
