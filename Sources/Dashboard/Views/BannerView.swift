import Monitoring
import Screen

/// The problem that the user has to fix, with the commands that fix it; or else the hint of a first run.
///
/// ```
///  ! 3 targets cannot be probed: ICMP is not permitted – fix, with either:
///      sysctl -w net.ipv4.ping_group_range="0 2147483647"
///      setcap cap_net_raw+ep /usr/local/bin/reach
/// ```
struct BannerView: View {
    let model: Model

    func draw(in area: Area, on frame: inout Frame) {
        for (index, line) in model.bannerLines.prefix(area.rows).enumerated() {
            let position = Position(column: 1, row: area.row + index)
            frame.write(line, at: position, limit: area.columns - 2, ellipsis: model.appearance.glyphs.ellipsis)
        }
    }
}
