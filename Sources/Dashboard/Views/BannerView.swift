import Screen

/// What needs the user's hand, in as many lines as it takes.
///
/// ```
///  ! 3 targets cannot be asked: ICMP is not permitted; either mends it:
///      sysctl -w net.ipv4.ping_group_range="0 2147483647"
///      setcap cap_net_raw+ep /usr/local/bin/reach
/// ```
struct BannerView: View {
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        for (index, line) in model.bannerLines.prefix(area.rows).enumerated() {
            frame.write(line, at: Position(column: 1, row: area.row + index), style: model.look[.down])
        }
    }
}
