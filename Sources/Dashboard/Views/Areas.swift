import Screen

/// Where the regions of the screen are. The table takes the height; in a low terminal the events go first, then the
/// headings, then the banner.
///
/// ```
/// header
/// banner      (when something needs the user's hand)
/// headings
/// list        (takes the height)
/// events
/// footer
/// ```
struct Areas: Sendable, Hashable {
    let header: Area
    let banner: Area
    let headings: Area
    let list: Area
    let events: Area
    let footer: Area

    init(size: Size, bannerRows: Int) {
        var row = 0
        func take(_ rows: Int) -> Area {
            defer { row += rows }
            return Area(row: row, rows: rows, columns: size.columns)
        }
        let eventRows = size.rows < 14 ? 0 : min(12, max(4, size.rows / 5))
        let headingRows = size.rows < 8 ? 0 : 1
        let bannerRows = size.rows < 4 ? 0 : bannerRows
        let footerRows = size.rows >= 3 ? 1 : 0
        let headerRows = size.rows >= 2 ? 1 : 0
        header = take(headerRows)
        banner = take(bannerRows)
        headings = take(headingRows)
        list = take(max(0, size.rows - row - eventRows - footerRows))
        events = take(eventRows)
        footer = take(footerRows)
    }
}
