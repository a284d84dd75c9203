extension Failure {
    private static let silence = "the resolver does not answer for "

    /// The look-up of a host's name is still under way, and the probe's time is over.
    public static func awaitingResolver(of host: String) -> Failure {
        Failure(.resolverFailed, detail: "\(silence)\(host)")
    }

    /// Whether the look-up of the name is still under way, so that nobody knows anything of the host.
    public var isAwaitingResolver: Bool {
        reason == .resolverFailed && detail.hasPrefix(Self.silence)
    }
}
