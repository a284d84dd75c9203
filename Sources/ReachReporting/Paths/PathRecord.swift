import ReachMonitoring

/// The path to a target as a JSON object, an element of `path --json`. The keys are stable: they are only ever added to.
/// Unknown values are absent.
public struct PathRecord: Sendable, Hashable, Encodable {
    /// Where the path ends.
    struct End: Sendable, Hashable, Encodable {
        /// The stable name of the kind, such as `reached` or `silent`.
        let kind: String
        let hop: Int?
        let address: String?
        /// The end as a sentence.
        let words: String
    }

    /// One hop.
    struct Hop: Sendable, Hashable, Encodable {
        let hop: Int
        /// The addresses that answered, the current one first.
        let addresses: [String]
        let name: String?
        /// The number and the name of the autonomous system.
        let asNumber: UInt32?
        let asName: String?
        /// The word on the screen, and its stable name.
        let word: String
        let kind: String
        let sent: Int
        let received: Int
        /// The share of lost probes, 0…1.
        let loss: Double?
        let lastSeconds: Double?
        let meanSeconds: Double?
        let bestSeconds: Double?
        let worstSeconds: Double?
        let jitterSeconds: Double?
        /// The largest packet in bytes that the link behind it carries, as it reported.
        let mtu: Int?
        let labels: [MPLSLabel]?
        /// Whether the hop was taken over from another path.
        let shared: Bool?

        enum CodingKeys: String, CodingKey {
            case hop, addresses, name, word, kind, sent, received, loss, mtu, labels, shared
            case asNumber = "as_number"
            case asName = "as_name"
            case lastSeconds = "last_seconds"
            case meanSeconds = "mean_seconds"
            case bestSeconds = "best_seconds"
            case worstSeconds = "worst_seconds"
            case jitterSeconds = "jitter_seconds"
        }
    }

    /// The hops of a further flow.
    struct Flow: Sendable, Hashable, Encodable {
        let flow: Int
        let end: End
        let hops: [Hop]
    }

    let target: String
    let address: String?
    /// `icmp`, `udp` or `tcp`.
    let method: String?
    let port: UInt16?
    let end: End?
    /// Why the target could not be probed.
    let problem: String?
    let hops: [Hop]
    /// The other flows; absent for a single one.
    let flows: [Flow]?
    /// The largest packet in bytes that reaches the target.
    let mtu: Int?

    /// The record of a path at one time.
    public init(_ path: PathReport) {
        target = path.target
        problem = path.problem
        guard let trace = path.trace else {
            (address, method, port, end, flows, mtu) = (nil, nil, nil, nil, nil, nil)
            hops = []
            return
        }
        address = trace.destination.address
        method = trace.destination.method.rawValue
        port = trace.destination.port == 0 ? nil : trace.destination.port
        end = End(trace.end())
        hops = Self.hops(of: path, trace, flow: 0)
        flows =
            (1..<max(1, trace.flowCount)).map { flow in
                Flow(
                    flow: flow,
                    end: End(trace.end(flow: flow)),
                    hops: Self.hops(of: path, trace, flow: flow)
                )
            }.nonEmpty
        mtu = trace.mtu.size
    }

    private static func hops(of path: PathReport, _ trace: PathTrace, flow: Int) -> [Hop] {
        zip(trace.hops(flow: flow), trace.words(at: path.time, flow: flow)).enumerated().map { index, element in
            let (hop, word) = element
            let system = hop.address.flatMap(path.system)
            return Hop(
                hop: index + 1,
                // A router that only reports an obstacle has none of its own.
                addresses: hop.addresses.map(\.address).nonEmpty ?? [hop.address].compactMap(\.self),
                name: hop.address.flatMap(path.name),
                asNumber: system?.number,
                asName: (system?.name).flatMap { $0.isEmpty ? nil : $0 },
                word: word.text(clock: path.clock),
                kind: word.kind,
                sent: hop.sent,
                received: hop.answered,
                loss: hop.loss?.thousandths,
                lastSeconds: hop.last?.microsecondPrecision,
                meanSeconds: hop.mean?.microsecondPrecision,
                bestSeconds: hop.best?.microsecondPrecision,
                worstSeconds: hop.worst?.microsecondPrecision,
                jitterSeconds: hop.jitter?.microsecondPrecision,
                mtu: hop.mtu,
                labels: hop.labels.nonEmpty,
                shared: hop.isShared ? true : nil
            )
        }
    }
}

extension PathRecord.End {
    init(_ end: PathEnd) {
        (kind, hop, address, words) = (end.kind, end.hop, end.address, end.sentence)
    }
}

/// The paths to all targets as one JSON object, the output of `path --json`. The keys are stable: they are only ever added
/// to.
public struct PathsRecord: Sendable, Hashable, Encodable {
    let paths: [PathRecord]

    /// The record of paths at one time.
    public init(_ paths: [PathReport]) {
        self.paths = paths.map(PathRecord.init)
    }
}
