extension Frame {
    /// The frame as an SVG document (https://www.w3.org/TR/SVG11/) of text, which can be scaled and searched and embeds no
    /// font. Every piece of text has a position and a length, so that columns align in any font.
    ///
    /// - Parameters:
    ///   - title: the title for screen readers.
    ///   - palette: the colours.
    public func svg(title: String, palette: Palette) -> String {
        let (width, height) = (size.columns * Cells.width, size.rows * Cells.height)
        let (outerWidth, outerHeight) = (width + 2 * Cells.margin, height + 2 * Cells.margin)
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(outerWidth)" height="\(outerHeight)" \
            viewBox="0 0 \(outerWidth) \(outerHeight)" role="img" aria-labelledby="title">
            <title id="title">\(title.xmlEscaped)</title>
            <rect width="100%" height="100%" rx="6" fill="\(palette.background.hex)"/>
            <g transform="translate(\(Cells.margin) \(Cells.margin))" \
            font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="\(Cells.fontSize)" \
            fill="\(palette.foreground.hex)">
            """
        let lines = runs.flatMap { Self.elements(of: $0, palette) }
        return ([head] + lines + ["</g>", "</svg>"]).joined(separator: "\n") + "\n"
    }

    private static func elements(of run: Run, _ palette: Palette) -> [String] {
        let (x, y) = (run.position.column * Cells.width, run.position.row * Cells.height)
        let color = palette[run.style.foreground].hex
        let attributes = run.style.attributes
        var looks = ""
        var elements: [String] = []
        if attributes.contains(.reversed) {
            let width = run.columns * Cells.width
            elements.append(
                "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(Cells.height)\" fill=\"\(color)\"/>"
            )
            looks += " fill=\"\(palette.background.hex)\""
        } else if run.style.foreground != nil {
            looks += " fill=\"\(color)\""
        }
        if attributes.contains(.bold) { looks += " font-weight=\"bold\"" }
        if attributes.contains(.faint) { looks += " opacity=\"0.65\"" }
        if attributes.contains(.underline) { looks += " text-decoration=\"underline\"" }
        let dots = dots(of: run)
        if !dots.isEmpty {
            elements.append(
                "<path d=\"\(dots)\" stroke=\"\(color)\" stroke-width=\"2.4\" stroke-linecap=\"round\" fill=\"none\"/>"
            )
        }
        return elements
            + pieces(of: run).map { piece in
                """
                <text x="\(piece.column * Cells.width)" y="\(y + Cells.baseline)" \
                textLength="\(piece.columns * Cells.width)" lengthAdjust="spacingAndGlyphs"\(looks)>\
                \(piece.text.xmlEscaped)</text>
                """
            }
    }

    /// The dots of a run's braille as a path of zero-length strokes: in few fonts, braille is as wide as letters.
    private static func dots(of run: Run) -> String {
        var path = ""
        var x = run.position.column * Cells.width
        for character in run.text {
            for (bit, dot) in Cells.dots.enumerated() where character.braille & (1 << bit) != 0 {
                path += "M\(x + dot.x) \(run.position.row * Cells.height + dot.y)h0"
            }
            x += character.columnsIfPrintable * Cells.width
        }
        return path
    }

    /// Text with a position of its own.
    private struct Piece {
        var text: String
        let column: Int
        var columns: Int
        /// The width of each of its characters.
        let each: Int
    }

    /// A run as pieces whose characters have one width. In a font, a wide character may not be twice as wide as others, and a
    /// blank not as wide as a letter; and SVG collapses repeated blanks.
    private static func pieces(of run: Run) -> [Piece] {
        var pieces: [Piece] = []
        var column = run.position.column
        var blanks = 0
        for character in run.text {
            let columns = character.columnsIfPrintable
            defer { column += columns }
            if character == " " || character.braille != 0 {
                blanks += 1
                continue
            }
            if blanks < 2, var last = pieces.last, last.each == columns {
                last.text += String(repeating: " ", count: blanks) + String(character)
                last.columns += blanks + columns
                pieces[pieces.count - 1] = last
            } else {
                pieces.append(Piece(text: String(character), column: column, columns: columns, each: columns))
            }
            blanks = 0
        }
        return pieces
    }

    /// The measures of a cell in pixels: the width of a monospaced letter is three fifths of its height.
    private enum Cells {
        static let width = 9
        static let height = 19
        static let fontSize = 15
        static let baseline = 14
        static let margin = 10
        /// The positions of the eight dots of a braille character, in the order of their bits in Unicode.
        static let dots = [(2, 3), (2, 7), (2, 11), (6, 3), (6, 7), (6, 11), (2, 15), (6, 15)].map { (x: $0, y: $1) }
    }
}

extension Character {
    /// The dots of a braille character, one bit each; zero for other characters.
    fileprivate var braille: UInt8 {
        guard let value = unicodeScalars.first?.value, (0x2800...0x28FF).contains(value) else { return 0 }
        return UInt8(truncatingIfNeeded: value)
    }
}

extension String {
    /// The text escaped for XML elements and attributes, without characters that XML forbids.
    var xmlEscaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": break
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
