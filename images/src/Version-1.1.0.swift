/// The version that the banner shows.
let firmwareVersion: StaticString = "1.1.0"

/// New in 1.1.0: a picture, so that an update is to be seen on the console.
func greet(on console: Console) {
    for index in picture.indices {
        let row = picture[index]
        for place in 0..<UInt32(32) {
            console.write(row & (0x8000_0000 >> place) != 0 ? "#" : " ")
        }
        console.write("\r\n")
    }
}

/// A barge under tow, 32 points wide.
private let picture: InlineArray<8, UInt32> = [
    0x0000_0020,
    0x0000_0070,
    0x0000_00F8,
    0x0FF8_00F8,
    0x0FF8_03FE,
    0x7FFF_C7FF,
    0x3FFF_FFFE,
    0x1FFF_83FC,
]
