import Monitoring

extension Fault {
    /// The fault of a target that needs TLS, in a build without it.
    static let noTLS = Fault(
        .internal,
        detail: "TLS is not part of this build – add the trait \"TLS\" or \"Fetch\" to the dependency on reach"
    )
}
