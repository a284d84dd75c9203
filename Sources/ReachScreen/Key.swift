/// A key, a click or a paste, independent of the terminal's encoding.
public enum Key: Sendable, Hashable {
    /// A printable character, including space.
    case character(Character)
    /// A character with the control key: a lowercase letter, or one of `@ \ ] ^ _`. Those that are keys of their own
    /// (^I tab, ^M enter, ^[ escape, ^H backspace) are reported as those.
    case control(Character)
    /// A character with the alt key, which terminals send as an escape before it.
    case alt(Character)
    /// The arrow up.
    case up
    /// The arrow down.
    case down
    /// The arrow to the left.
    case left
    /// The arrow to the right.
    case right
    /// A page up.
    case pageUp
    /// A page down.
    case pageDown
    /// To the beginning.
    case home
    /// To the end.
    case end
    /// Insert.
    case insert
    /// Delete the next character.
    case delete
    /// Delete the previous character.
    case backspace
    /// Return or enter.
    case enter
    /// The tabulator.
    case tab
    /// The tabulator with shift.
    case backTab
    /// Escape, alone.
    case escape
    /// A function key, counted from one.
    case function(Int)
    /// A click with the left mouse button, at this position.
    case click(Position)
    /// A step of the mouse wheel upward.
    case wheelUp
    /// A step of the mouse wheel downward.
    case wheelDown
    /// Pasted text without control characters; line ends and tabs are blanks.
    case paste(String)
}
