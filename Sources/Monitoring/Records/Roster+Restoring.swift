extension Roster {
    /// Adds samples from before the start of the program to the histories of targets.
    package mutating func restore(_ samples: [Target.ID: [Sample]]) {
        for (id, samples) in samples {
            if let position = positions[id] { states[position].history.prepend(samples) }
        }
    }
}
