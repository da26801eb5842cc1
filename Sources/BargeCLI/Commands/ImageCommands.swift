/// `barge image`: firmware files, without any device.
enum ImageCommands {
    static let declaration = CommandDeclaration(
        name: "image",
        abstract: "Look into firmware files",
        subcommands: [ImageInspectCommand.declaration, ImageVerifyCommand.declaration])
}

/// `barge image inspect`: what a file is.
enum ImageInspectCommand {
    static let file = Argument(
        "FILE", ValueKind.path(takesStandardStream: true),
        "The firmware file; - reads standard input")

    static let declaration = CommandDeclaration(
        name: "inspect",
        abstract: "Show the format, size, version, digest and signatures of a firmware file",
        arguments: [file.declaration],
        examples: [
            CommandExample(
                purpose: "See what a build left behind", line: "barge image inspect app.signed.bin")
        ])
}

/// `barge image verify`: whether a file is signed by a key; the exit code is the answer.
enum ImageVerifyCommand {
    static let file = Argument(
        "FILE", ValueKind.path(takesStandardStream: true),
        "The firmware file; - reads standard input")
    static let key = Option(required: "key", ValueKind.path("PUB"), "The public key, in PEM")

    static let declaration = CommandDeclaration(
        name: "verify",
        abstract: "Check the digest and the signature of a firmware file",
        discussion: """
            Exit code 0 says that digest and signature agree with the file and the key, 7 that \
            one of them does not.
            """,
        arguments: [file.declaration],
        optionGroups: [OptionGroup(title: "Options", options: [key.declaration])],
        examples: [
            CommandExample(
                purpose: "Check a release before it goes anywhere",
                line: "barge image verify app.signed.bin --key signing.pub")
        ])
}
