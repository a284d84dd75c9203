import Screen

/// A column of the list of hook runs.
enum HookColumn: Sendable, Hashable {
    case time, name, cause, action, status, duration

    /// Returns the layout for a width. On narrow terminals, the cause is hidden first, then the duration, then the
    /// time. Name, action and status are always visible. The action takes what the other columns do not need.
    ///
    /// - Parameter longest: the width of a column's longest text.
    static func layout(width: Int, longest: (HookColumn) -> Int) -> ColumnLayout<HookColumn> {
        let (name, cause, status) = (longest(.name), max(1, longest(.cause)), max(1, longest(.status)))
        return ColumnLayout(
            [
                .init(.time, minimum: 8, dropOrder: 2),
                .init(.name, minimum: max(6, min(name, 12)), ideal: min(name, 24)),
                .init(.cause, minimum: min(cause, 14), weight: 2, maximum: min(cause, 48), dropOrder: 0),
                .init(.action, minimum: 12, weight: 3),
                .init(.status, minimum: min(status, 10), ideal: min(status, max(18, width / 4))),
                .init(.duration, minimum: 6, dropOrder: 1),
            ],
            width: max(1, width),
            gap: 2
        )
    }
}
