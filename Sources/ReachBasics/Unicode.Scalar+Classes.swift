/// The classes of characters that decide what is written to a terminal. There is one place, since texts of peers pass
/// several checks, which must not disagree.
extension Unicode.Scalar {
    /// Whether it is a control character (C0, delete or C1), or separates lines or paragraphs.
    @inlinable package var isControl: Bool {
        // Without the table of categories, which takes several times as long.
        guard value >= 0x7F else { return value < 0x20 }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether a terminal executes it instead of showing it: control characters, separators of lines, and bidirectional
    /// controls (UAX #9 §2). Joiners, which emoji contain, are not included.
    @inlinable package var isControlling: Bool {
        guard value >= 0x7F else { return value < 0x20 }
        return isControl || properties.isBidiControl
    }

    /// Whether it is neither a control nor a format character, and has a meaning.
    @inlinable package var isPrintable: Bool {
        guard value >= 0x7F else { return value >= 0x20 }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}
