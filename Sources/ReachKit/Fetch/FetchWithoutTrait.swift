#if !Fetch

/// An HTTP client that retries, in a build with the trait "Fetch".
@available(*, unavailable, message: "add the trait \"Fetch\" to the dependency on reach")
public struct Fetch: Sendable {
    /// Not part of this build.
    public init() {}
}

#endif
