import Screen

/// A column of the list of hook runs.
enum HookColumn: Sendable, Hashable {
    case time, name, cause, action, status, duration

    /// Returns the layout for a width. On narrow terminals, the cause is hidden first, then the duration, then the
    /// time. Name, action and status are always visible.
    static func layout(width: Int, nameWidth: Int) -> ColumnLayout<HookColumn> {
        ColumnLayout(
            [
                .init(.time, minimum: 8, dropOrder: 2),
                .init(.name, minimum: max(6, min(nameWidth, 12)), ideal: min(nameWidth, 24)),
                .init(.cause, minimum: 14, weight: 2, maximum: 36, dropOrder: 0),
                .init(.action, minimum: 12, weight: 3),
                .init(.status, minimum: 10, weight: 3, maximum: 44),
                .init(.duration, minimum: 6, dropOrder: 1),
            ],
            width: max(1, width),
            gap: 2
        )
    }
}
