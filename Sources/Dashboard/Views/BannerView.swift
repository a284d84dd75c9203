import Screen

/// The line that says what needs the user's hand.
///
/// ```
///  ! 3 targets cannot be asked: no permission for ICMP; sysctl -w …
/// ```
struct BannerView: View {
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty, let banner = model.banner else { return }
        let look = model.look
        frame.write(
            [Segment("\(look.glyphs.fault) \(banner)", look[.down])],
            at: Position(column: 1, row: area.row),
            limit: area.columns - 2,
            ellipsis: look.glyphs.ellipsis
        )
    }
}
