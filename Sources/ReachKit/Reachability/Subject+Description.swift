import Monitoring

extension Reachability.Subject: CustomStringConvertible {
    /// What is asked: `example.com`, `tcp://db:5432`, the name of a target, or `the internet`.
    public var description: String {
        switch inquiry {
        case _ where self == .internet: "the internet"
        case _ where self == .localNetwork: "the local network"
        case .targets(let targets): targets.map(\.name).joined(separator: ", ")
        case .host(let host): host
        case .nothing: "nothing"
        }
    }
}
