import Monitoring
import Screen

extension Model {
    /// The one target that an action concerns; nil for a group.
    var selectedTarget: Standing? {
        if let place = navigation.detailPlace { return roster[place.target] }
        guard case .target(let id) = selection.id else { return nil }
        return roster[id]
    }

    /// Opens the detail view of the selected target; a group has none.
    mutating func openDetail() {
        guard case .target(let id) = selection.id, let standing = shownRoster[id] else { return }
        navigation.open(.detail(DetailPlace(standing)))
    }

    /// Performs an action in the detail view; the target that is shown counts as the selected one.
    mutating func perform(_ action: Action, in place: DetailPlace) -> [Effect] {
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last:
            let (lines, height) = DetailView.extent(of: shown, at: place)
            var place = place
            place.scroll = scrolled(place.scroll, by: action, lines: lines, height: height)
            navigation.open(.detail(place))
            return []
        case .lengthenSpan, .shortenSpan:
            var place = place
            place.changeSpan(isLonger: action == .lengthenSpan)
            navigation.open(.detail(place))
            return []
        case .toggleEvents, .toggleHooks, .targetHooks:
            navigation.keepBehind()
            return performInTable(action)
        case .togglePause, .togglePauseAll, .probeNow, .reset, .arm, .testHooks:
            return performInTable(action)
        default:
            return []
        }
    }

    /// Leaves the detail view when its target is gone, and keeps it from being scrolled past its end.
    mutating func settleDetail() {
        let roster = shownRoster
        navigation.settle { roster[$0] != nil }
        guard case .detail(var place) = navigation.view else { return }
        guard roster[place.target] != nil else {
            navigation.open(navigation.overview)
            say("the target is gone from the settings")
            return
        }
        guard place.scroll > 0 else { return }
        let (lines, height) = DetailView.extent(of: shown, at: place)
        place.scroll = min(place.scroll, max(0, lines - height))
        navigation.open(.detail(place))
    }
}
