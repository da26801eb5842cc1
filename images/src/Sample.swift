// The sample firmware: says who it is on the first serial port, checks its own flash, and idles.
// It runs on QEMU's machine mps2-an386 (Cortex-M4), which stands for any small device.

/// The bounds of the image in flash; the linker script places both symbols.
@_extern(c, "image_bounds_start") private func imageStart() -> UInt32
@_extern(c, "image_bounds_end") private func imageEnd() -> UInt32

@c(sample_main)
func run() {
    let console = Console()
    console.write("\r\nBarge sample firmware ")
    console.write(firmwareVersion)
    console.write("\r\nflash ")
    let start = imageStart()
    let end = imageEnd()
    console.write(start)
    console.write("-")
    console.write(end)
    if let image = UnsafeRawPointer(bitPattern: UInt(start)) {
        let bytes = UnsafeRawBufferPointer(start: image, count: Int(end - start))
        console.write(" CRC-32 ")
        console.write(checksum(of: bytes))
    }
    console.write("\r\n")
    greet(on: console)
    console.write("ready\r\n")
}

/// CRC-32 as in zlib (ISO 3309, reflected polynomial 0xEDB88320), bit by bit: there is time.
func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    var remainder: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
        remainder ^= UInt32(byte)
        for _ in 0..<8 {
            let isOdd = remainder & 1 == 1
            remainder >>= 1
            if isOdd { remainder ^= 0xEDB8_8320 }
        }
    }
    return ~remainder
}
