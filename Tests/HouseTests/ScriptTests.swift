import Foundation
import Testing

@Suite("What people run")
struct ScriptTests {
    @Test("Every script can be run, and stops at its first failure")
    func housePasses() throws {
        let paths = try House.paths(in: ["scripts"]) + [".ci/run"]
        #expect(paths.contains("scripts/test"))
        for path in paths {
            let isExecutable = FileManager.default.isExecutableFile(
                atPath: House.root.appending(path: path).path())
            try Scripts.findings(in: House.read(path), isExecutable: isExecutable).record()
        }
    }

    @Test(
        "A script that cannot be run or goes on after a failure is found",
        arguments: [
            ("#!/usr/bin/env bash\nset -euo pipefail\n", true, true),
            ("#!/usr/bin/env bash\nset -euo pipefail\n", false, false),
            ("#!/usr/bin/env bash\n# set -euo pipefail\n", true, false),
            ("#!/usr/bin/env python3\n", true, true),
            ("echo\n", true, false),
            ("a list of words\n", false, true),
        ])
    func canFail(text: String, isExecutable: Bool, passes: Bool) {
        let file = SourceFile(path: "scripts/x", text: text)
        #expect(Scripts.findings(in: file, isExecutable: isExecutable).isEmpty == passes)
    }

    @Test("Every command that README names exists")
    func readmeCommands() throws {
        let commands = try Scripts.commands(in: House.read("README.md").text)
        #expect(commands.contains("scripts/test"))
        for command in commands {
            let path = House.root.appending(path: command).path()
            #expect(FileManager.default.isExecutableFile(atPath: path), "README names \(command)")
        }
    }

    @Test("Commands are found wherever a text names them")
    func commandsAreFound() {
        let text = "Run `scripts/test`. Then\n    scripts/build-images --all\nas .ci/run does."
        #expect(Scripts.commands(in: text) == ["scripts/test", "scripts/build-images", ".ci/run"])
    }
}
