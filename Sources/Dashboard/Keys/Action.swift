/// What a key does.
public enum Action: Sendable, Hashable, CaseIterable {
    case up, down, pageUp, pageDown, first, last
    case fold, unfold
    case freeze, previousEvent, nextEvent
    case togglePause, togglePauseAll
    case table, wall, graphs, strips, nextView, vantagePoints
    case filter
    case nextSort, reverseSort
    case chooseColumns
    case probeNow, reset
    case nextFailing, previousFailing
    case acknowledge
    case arm, testHooks
    case toggleEvents, toggleHooks, targetHooks
    case lengthenSpan, shortenSpan
    case add, edit, remove, undo, write
    case open
    case copy, toggleMouse, toggleAlerts, savePicture
    case reload, repaint, suspend
    case help, palette
    case back
    case quit, quitAtOnce
}
