import Screen

/// A region of the screen: draws its part of the model into an area, and nothing outside of it.
protocol View {
    /// Draws the region.
    func draw(in area: Area, on frame: inout Frame)
}
