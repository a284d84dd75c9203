import Monitoring
import Screen

extension Model {
    /// The detail view, when it is seen or lies below the events or the hook runs.
    var detailPlace: DetailPlace? {
        if case .detail(let place) = view { return place }
        if case .detail(let place) = behind { return place }
        return nil
    }

    /// The one target that an action concerns; nil for a group.
    var selectedTarget: Standing? {
        if let place = detailPlace { return roster[place.target] }
        guard case .target(let id) = selection else { return nil }
        return roster[id]
    }

    /// Opens all about the selected target; a group has no such view.
    mutating func openDetail() {
        guard case .target(let id) = selection, let standing = shownRoster[id] else { return }
        view = .detail(DetailPlace(standing))
    }

    /// Does what a key means in the detail view. What acts on the selected target acts on the one that is shown.
    mutating func perform(_ action: Action, in place: DetailPlace) -> [Effect] {
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last:
            let (lines, height) = DetailView.extent(of: shown, at: place)
            var place = place
            place.scroll = scrolled(place.scroll, by: action, lines: lines, height: height)
            view = .detail(place)
            return []
        case .lengthenSpan, .shortenSpan:
            var place = place
            place.changeSpan(isLonger: action == .lengthenSpan)
            view = .detail(place)
            return []
        case .toggleEvents, .toggleHooks, .targetHooks:
            behind = view
            return performInTable(action)
        case .togglePause, .togglePauseAll, .probeNow, .reset, .arm, .testHooks:
            return performInTable(action)
        default:
            return []
        }
    }

    /// Leaves the detail view when its target is gone, and keeps it from being scrolled past its end.
    mutating func settleDetail() {
        if case .detail(let place) = behind, shownRoster[place.target] == nil { behind = nil }
        switch view {
        case .events, .hooks: break
        default: behind = nil
        }
        guard case .detail(var place) = view else { return }
        guard shownRoster[place.target] != nil else {
            view = overview
            say("the target is gone from the settings")
            return
        }
        guard place.scroll > 0 else { return }
        let (lines, height) = DetailView.extent(of: shown, at: place)
        place.scroll = min(place.scroll, max(0, lines - height))
        view = .detail(place)
    }

    /// Leaves the events or the hook runs for what they were opened from.
    mutating func leave() {
        view = behind ?? overview
        behind = nil
    }
}
