public import Screen

extension String {
    /// The text with the codes that show it in a style and then go back to the plain one; none where the terminal would
    /// show no difference.
    public func styled(_ style: Style, _ color: ColorSupport) -> String {
        let rendition = SelectGraphicRendition(color: color)
        let codes = { (codes: [UInt8]) in
            codes.isEmpty ? "" : "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
        }
        return codes(rendition.codes(from: .plain, to: style)) + self + codes(rendition.codes(from: style, to: .plain))
    }
}
