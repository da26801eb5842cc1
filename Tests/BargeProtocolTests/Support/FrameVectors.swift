/// Frames that this project's encoder had no part in. A Python 3 script put them together:
/// bodies with `struct.pack("<…")` as the protocol document draws them, the check with
/// `zlib.crc32`, the digest with `hashlib.sha256(b"abc")`. Tag 9 where there is one.
enum FrameVectors {
    static let helloSmall =
        "010020004254500001010102400102020001050400010000060400000000140400000000d7ac6fef"
    static let helloFull = """
        01004a00425450000101010208100202001003010c04010f0504000001000604070000001006532d
        30303031110673656e736f72120a000008000010000004ff1306667720312e321404efbeaddea881
        5d8e
        """
    static let error = "020911000111000440e20100000000000466756c6c67078fa3"
    static let fin = "03000000f270f133"
    static let busy = "04091100020807060504030201ffffffffffffffffd4f62e7b"
    static let echo = "0509040070696e6729345a27"
    static let echoed = "0609040070696e67ca33d5a9"
    static let write = """
        1009360002000a6c6f672dc3a12e7478749a78563412000000ba7816bf8f01cfea414140de5dae22
        23b00361a396177a9cb410ff61f20015ad01475156b4
        """
    static let writeFirmware = """
        10092c00010000f00d0c0000000000ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb4
        10ff61f20015ad0064938057
        """
    static let writeReady = "11090d000000200000000000002639f4cbfa41742c"
    static let writeReadyComplete = "11090d00010300000000000000c2412435db3022d8"
    static let commit = "12090000877b85d4"
    static let committed = """
        13092800ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad87d61200
        00000000b3504eea
        """
    static let read = "140913000407000000000000000000ffffffffffffffffa7d63fa1"
    static let readReady = "15091400e8030000000000000300000000000000c2412435f3e8b45d"
    static let readEnd = """
        160928000300000000000000ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61
        f20015adef20ec4b
        """
    static let acknowledge = "17090800ffffffffffff0000e7ae8f91"
    static let cancel = "18090000e39b38bb"
    static let canceled = "1909000086fc8403"
    static let storedBlock = "20090b000605040302010300616263fe0a701a"
    static let deflatedBlock = "21090b00001000000000001078797a70130acc"
    static let list = "3009020001617b6c0f31"
    static let entry = "31091700050000000000000000f15365000000000005622e6c6f67958e395a"
    static let listed = "3209010001d0090e16"
    static let stat = "33090800020005622e6c6f67d38771b1"
    static let stated = """
        34093000050000000000000000f1536500000000ba7816bf8f01cfea414140de5dae2223b00361a3
        96177a9cb410ff61f20015ad08a6f01e
        """
    static let remove = "35090800020005622e6c6f6733224c5e"
    static let removed = "36090000ee43d5fb"
    static let images = "40090000aebc81b5"
    static let imageStates = """
        4109650002000bf00d0c0000000000f00d0c0000000000ba7816bf8f01cfea414140de5dae2223b0
        0361a396177a9cb410ff61f20015ad011000350c0000000000001000000000000000000000000000
        00000000000000000000000000000000000000000000000000058a12fe
        """
    static let test =
        "42092000ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad985b0a0a"
    static let confirm =
        "43092000ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0d8f7a9f"
    static let reset = "44090000f92be33a"
    static let resetting = "45090400dc050000efd01f60"
    /// FIPS 180-4 appendix: SHA-256 of "abc".
    static let abcDigest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
}
