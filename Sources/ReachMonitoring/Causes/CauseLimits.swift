/// The constants of the search. They are the same for all networks and all rows of `docs/causes.md`.
enum CauseLimits {
    /// The least number of outages that a cause explains.
    static let outages = 3
    /// What shares a risk acquits it if fewer than nine tenths of it are down.
    static func accuses(down: Int, up: Int) -> Bool { down * 10 >= (down + up) * 9 }

    // Explanations are compared by their likelihood, in thousandths of the natural logarithm: whole numbers, so that
    // equal explanations are equal.

    /// An outage without a cause: one target in a thousand goes down by itself at the same moment.
    static let unexplained = 6_908
    /// A target that is up behind a cause: one path in a hundred is not the one that was measured.
    static let contradiction = 4_605
    /// Each cause: one risk in a thousand has failed.
    static let cause = 6_908

    /// The largest probability of chance, multiplied by the number of risks tested.
    static let chance = 0.001
    /// A cause that is less certain than this waits until all that went down at its moment can be seen.
    static let certainty = 0.000_1
    /// The largest probability that so many of the outages are at a silent position by chance, if a part of it is up.
    static let place = 0.05

    /// Probes of one fault begin to fail this much apart in addition to the interval: timeouts and busy machines.
    static let slack = Duration.seconds(1)
    /// How long a cause waits for targets that are failing, counted from the newest outage.
    static let longestWait = Duration.seconds(30)
    /// With so many places where chance was too likely, they are examined again only when a cause was found.
    static let reexamined = 20
    /// The number of hops behind a silent position that are probed before it is named.
    static let confirmations = 3
}
