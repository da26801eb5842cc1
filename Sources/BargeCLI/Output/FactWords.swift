import Barge

/// The `facts` of the JSON events that have them, for `barge help json`: one table for each event.
/// Facts without a presence are always there.
enum FactWords {
    static let information: [FieldDescription] = [
        fact("serial", .string, "the device's own word for itself"),
        fact("model", .string, "what kind of device it is"),
        fact("software", .string, "what runs the Barge service on it"),
        fact("bootID", .integer, "another number after each reset"),
        fact("takesFirmware", .boolean, "whether it can be flashed"),
        fact("holdsFiles", .boolean, "whether it has files"),
        fact("blockBytes", .integer, "the largest block that it takes"),
        fact("receiveWindowBytes", .integer, "how much may be on the way to it"),
        fact("inflateWindowBits", .nullable(.integer), "log2 of the window; null: stored only"),
        fact("deflateWindowBits", .nullable(.integer), "log2 of the window; null: stored only"),
        fact("slotBytes", .integer, onlyIf: "it takes firmware", "the size of a slot"),
        fact("sectorBytes", .integer, onlyIf: "it takes firmware", "what it erases at once"),
        fact("route", .choice(Route.allCases.map(\.rawValue)), "the way of the bytes"),
        fact("reason", .string, onlyIf: "route is not coc", "why it is not the channel"),
        fact("phy", .nullable(.string), "1m, 2m, coded-s2 or coded-s8"),
        fact("dataLengthBytes", .nullable(.integer), "the payload of a link layer packet"),
        fact("intervalMilliseconds", .nullable(.number), "the connection interval"),
        fact("attMTU", .nullable(.integer), "the ATT MTU, in bytes"),
        fact("encrypted", .nullable(.boolean), "whether the link is"),
        fact("security", .nullable(.string), "the level that the link has reached"),
        fact("ceilingBytesPerSecond", .nullable(.number), "what the link can carry at most"),
        fact(
            "slots", .array,
            "an object for each slot: index, length, durable (bytes that are safe), sha256 (null "
                + "if empty), running, confirmed, pendingTest, verified, partial"),
    ]

    static let image: [FieldDescription] = [
        fact("name", .string, "the file's name"),
        fact("format", .string, "raw, mcuboot, intel-hex, uf2 or elf"),
        fact("fileSize", .integer, "the size of the file, in bytes"),
        fact("imageSize", .integer, "the size of what goes to a device, in bytes"),
        fact("sha256", .string, "the digest of what goes to a device"),
        fact("baseAddress", .integer, onlyIf: "the file tells", "where the image starts"),
        fact("entryAddress", .integer, onlyIf: "the file tells", "where its program starts"),
        fact("uf2Blocks", .integer, onlyIf: "UF2", "how many blocks it has"),
        fact("uf2Family", .integer, onlyIf: "UF2 tells", "what chips it is for"),
        fact("target", .string, onlyIf: "UF2 tells", "what device it is for"),
        fact("version", .string, onlyIf: "the file tells", "the version of the image"),
        fact("headerSize", .integer, onlyIf: "MCUboot", "the size of the header"),
        fact("signatures", .array, onlyIf: "MCUboot", "the kinds of its signatures"),
        fact("flags", .array, onlyIf: "MCUboot", "the flags of its header"),
        fact(
            "hash", .choice(["matches", "mismatch", "absent", "encrypted"]),
            onlyIf: "MCUboot, and 'inspect'", "whether the hash in the file is right"),
        fact("securityCounter", .integer, onlyIf: "MCUboot tells", "guards against downgrades"),
        fact("notes", .array, "sentences that a person should read"),
        fact("verifiedBy", .string, onlyIf: "'verify'", "the signature that the key verifies"),
    ]

    static let simulated: [FieldDescription] = [
        fact(
            "condition", .choice(["to-come", "made", "unusable"]), onlyIf: "'create' and 'list'",
            "to-come: it is made when it is first used"),
        fact("reason", .string, onlyIf: "it is unusable", "why"),
        made("phy", .string, "1m, 2m, coded-s2 or coded-s8"),
        made("dataLength", .integer, "the payload of a link layer packet, in bytes"),
        made("intervalMilliseconds", .number, "the connection interval"),
        made("attMTU", .integer, "the largest ATT MTU, in bytes"),
        made("coc", .boolean, "whether it publishes an L2CAP channel"),
        made("loss", .number, "the probability that a packet is lost"),
        made("unlimited", .boolean, "whether its link takes no time"),
        made("pace", .choice(PaceChoice.allCases.map(\.rawValue)), "how fast its time goes"),
        made("seed", .integer, "the seed of its random choices"),
        made("slotSize", .integer, "the size of each firmware slot, in bytes"),
        made("windowBits", .integer, "log2 of the deflate window"),
        made("blockSize", .integer, "the largest block, in bytes"),
        made(
            "pairing", .choice(PairingCapability.allCases.map(\.rawValue)), "what it shows and asks"
        ),
        made("fixedPasskey", .boolean, "whether it always pairs with the same digits"),
        made("keyBytes", .integer, "the longest key that it makes, in bytes"),
        made("legacyPairing", .boolean, "whether it pairs without LE Secure Connections"),
        made("refusesComparison", .boolean, "whether it says no to equal digits"),
        made("refusesNewBond", .boolean, "whether it must lose its keys to pair anew"),
        made(
            "security", .choice(SecurityChoice.allCases.map(\.rawValue)),
            "what it demands of a link"),
        made("changesAddress", .boolean, "whether it has another address after each reset"),
        made("staleNameSeconds", .number, "how long it has another name after a reset"),
        made(
            "rebootsSeconds", .nullable(.number),
            "the mean time between two reboots of its own accord; null: never"),
        made("rssi", .integer, "the signal in dBm"),
        made(
            "manufacturer", .nullable(.string), "the company's data that it advertises: 0x0059:01FF"
        ),
        made(
            "serviceData", .nullable(.string), "the service's data that it advertises: FEAA:10EB"),
        fact(
            "runningSlot", .nullable(.string), onlyIf: "it is made or was rebooted",
            "a or b; null: it is off and starts when it is used"),
        made("boots", .integer, "how often it started"),
        made("paired", .boolean, "whether this computer and the device have each other's keys"),
        made(
            "powerCutAfter", .nullable(.integer),
            "bytes of flash until the power fails; null: never"),
        made("inUse", .boolean, "whether a process has it open"),
        fact("holder", .integer, onlyIf: "it is in use", "the process that has it, if known"),
        fact("bootReason", .string, onlyIf: "'reboot'", "why that slot runs"),
        fact("bootedSha256", .string, onlyIf: "'reboot'", "the digest of what runs"),
    ]

    private static func fact(
        _ name: String, _ type: FieldType, onlyIf presence: String? = nil, _ meaning: String
    ) -> FieldDescription {
        FieldDescription(name: name, type: type, presence: presence, meaning: meaning)
    }

    private static func made(
        _ name: String, _ type: FieldType, _ meaning: String
    ) -> FieldDescription {
        fact(name, type, onlyIf: "it is made", meaning)
    }
}
