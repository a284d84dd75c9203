/// What a person pressed, whatever bytes the terminal made of it.
public enum Key: Sendable, Hashable {
    /// A character that prints, space included.
    case character(Character)
    /// A character with the control key: a lowercase letter, or one of `@ \ ] ^ _`. Those that are keys of their own
    /// (^I tab, ^M enter, ^[ escape) and ^H come as these.
    case control(Character)
    /// A character with the alt key, or after an escape that came with it.
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
    /// Delete what follows.
    case delete
    /// Delete what precedes.
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
    /// The left button of the mouse, there.
    case click(Position)
    /// A step of the mouse's wheel, away from the hand.
    case wheelUp
    /// A step of the mouse's wheel, towards the hand.
    case wheelDown
    /// Text that was pasted, without control characters; line ends and tabs inside are blanks.
    case paste(String)
}
