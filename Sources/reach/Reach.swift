@main struct Reach { static func main() {} }
