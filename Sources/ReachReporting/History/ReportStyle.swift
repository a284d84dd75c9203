/// The head of a report's page, with its style for screens, phones and paper.
enum ReportStyle {
    static func head(title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(title)</title>
        <style>
        \([colours, screen, phone, paper].joined(separator: "\n"))
        </style>
        </head>
        <body>
        <main>
        """
    }

    private static let colours = """
        :root { --text: #1c2024; --faint: #687078; --line: #d9dde1; --page: #ffffff; --up: #2f9e44; --degraded: #d08700; --down: #d6293e; --missed: #946000; --maintenance: #3b72d9; --other: #98a0a8; }
        @media screen and (prefers-color-scheme: dark) { :root { --text: #e6e9ec; --faint: #98a2ab; --line: #343b42; --page: #14181c; --up: #51b964; --degraded: #e0a52c; --down: #ff6272; --missed: #e0a52c; --maintenance: #7aa5f5; --other: #69727a; } }
        b.missed { color: var(--missed); }
        b.far { color: var(--down); }
        b.none { color: var(--faint); }
        .up { fill: var(--up); } .degraded { fill: var(--degraded); } .down { fill: var(--down); } .maintenance { fill: var(--maintenance); }
        .unknown, .blocked, .paused, .unwatched { fill: var(--other); }
        """

    private static let screen = """
        body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
        main { max-width: 84rem; margin: 0 auto; padding: 1.5rem; }
        h1 { font-size: 1.6rem; margin: 0; }
        h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
        .period { color: var(--faint); margin: .2rem 0 1rem; }
        .summary { margin: 0 0 1.5rem; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th, td { text-align: right; padding: .45rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
        thead th { color: var(--faint); font-weight: 500; font-size: .85em; white-space: normal; vertical-align: bottom; }
        tbody th { font-weight: 600; white-space: normal; overflow-wrap: anywhere; min-width: 8rem; }
        th:first-child, .outages th, .outages td, .causes, .targets thead th:nth-child(2) { text-align: left; }
        .causes, .outages td:last-child { white-space: normal; overflow-wrap: anywhere; }
        .causes { min-width: 6rem; }
        .group th { padding-top: 1rem; color: var(--faint); font-weight: 500; }
        small { display: block; color: var(--faint); font-weight: 400; }
        .share { min-width: 9rem; text-align: left; }
        .share b { display: block; }
        .share svg { display: block; width: 100%; height: 1.1rem; margin-top: .2rem; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding: 0; margin: .8rem 0 0; color: var(--faint); font-size: .85em; }
        .legend svg { width: .8rem; height: .8rem; margin-right: .3rem; vertical-align: -.05rem; }
        ul { padding-left: 1.2rem; margin: .5rem 0; }
        @media screen and (max-width: 84rem) {
          body { font-size: 13px; }
          th, td { padding: .4rem .3rem; }
          .share, tbody th { min-width: 7rem; }
        }
        """

    /// A block for each target, with the titles of the columns beside the figures.
    private static let phone = """
        @media screen and (max-width: 66rem) {
          body { font-size: 15px; }
          thead { display: none; }
          tr { display: block; border-bottom: 1px solid var(--line); padding: .7rem 0; }
          th, td, .share { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; min-width: 0; white-space: normal; }
          tbody th { display: block; }
          td::before { content: attr(data-label); color: var(--faint); }
          .share { flex-wrap: wrap; }
          .share svg { flex-basis: 100%; }
          .causes, .outages td { text-align: right; }
          main { padding: 1rem; }
        }
        """

    /// A line for each target, with its strip beside the availability, so that many have room on a page.
    private static let paper = """
        @media print {
          @page { margin: 10mm; }
          body { font-size: 7.5pt; line-height: 1.25; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          main { max-width: none; padding: 0; }
          h1 { font-size: 13pt; }
          h2 { font-size: 9.5pt; margin: 3mm 0 .5mm; }
          .period { margin: .5mm 0 1.5mm; }
          .summary { margin: 0 0 2mm; }
          h1, h2, .period, .summary, .group { break-after: avoid; }
          thead { display: table-header-group; }
          tr, li { break-inside: avoid; }
          th, td { padding: .45mm .8mm; border-bottom-width: .2mm; }
          th:first-child { padding-left: 0; }
          thead th { font-size: 6.5pt; }
          tbody th { min-width: 0; max-width: 43mm; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
          .group th { max-width: none; padding-top: 1.5mm; }
          small { display: inline; margin-left: .5mm; font-size: 6.5pt; }
          .share { min-width: 0; }
          .share b { display: inline-block; min-width: 10.5mm; margin-right: .8mm; }
          .share svg { display: inline-block; width: 18mm; height: 2.6mm; margin: 0; vertical-align: -.3mm; }
          .causes { min-width: 30mm; font-size: 6.5pt; }
          .legend { margin-top: 1mm; gap: 0 3mm; font-size: 6.5pt; }
          .legend svg { width: 2mm; height: 2mm; margin-right: .8mm; }
          .accounting { columns: 2; column-gap: 6mm; margin: 0; padding-left: 3mm; font-size: 6.5pt; }
        }
        """
}
