public import Monitoring

extension Outcome {
    /// Creates outcomes from letters: `r` a reply of 1 ms, `s` a slow one of 900 ms, `t` a timeout, `x` a refused
    /// connection, `f` a fault. Blanks are ignored.
    ///
    /// - Precondition: there are no other letters.
    public static func picture(_ letters: String) -> [Outcome] {
        letters.filter { $0 != " " }.map { letter in
            switch letter {
            case "r": .reply(roundTrip: .milliseconds(1))
            case "s": .reply(roundTrip: .milliseconds(900))
            case "t": .timeout
            case "x": .failure(Failure(.refused))
            case "f": .fault(Fault(.permission, detail: "no permission"))
            default: preconditionFailure("no outcome has the letter \(letter)")
            }
        }
    }
}
