import Monitoring

/// A question in the footer, before an action that is hard to undo: `y` performs the action, `n` and esc do not.
///
/// ```
///  pause all 12 targets?  y yes  n no
/// ```
struct Confirmation: Sendable, Hashable {
    /// The action that the question is about. ``Model`` performs it after `y`.
    enum Subject: Sendable, Hashable {
        case pauseAll
        case resumeAll
        case quit
        /// Run the hooks of the target.
        case testHooks(Target.ID)
        /// Remove the target of this name.
        case remove(String)
        /// Send the silence to Alertmanager.
        case silence(Silence)
    }

    let subject: Subject
    /// The text, which ends with a question mark.
    let text: String
}
