/// The version that the banner shows.
let firmwareVersion: StaticString = "1.0.0"

/// The first version says nothing more.
func greet(on console: Console) {}
