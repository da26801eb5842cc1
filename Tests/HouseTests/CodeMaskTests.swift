import Testing

@Suite("What counts as code")
struct CodeMaskTests {
    @Test(
        "Comments and string contents are blanked, the rest stays where it is",
        arguments: [
            ("a // b { \"\nc", "a \nc"),
            ("a /* b /* { */ */ c", "a c"),
            ("f(\"{ \\\" }\") {", "f( ) {"),
            ("f(\"x\\(g { $0 })y\")", "f( g { $0 } )"),
            ("f(#\"\\(x) \" {\"#)", "f( )"),
            ("f(#\"\\#(x)\"#)", "f( x )"),
            ("\"\"\"\n{ \" }\n\"\"\"\nx", " \n \n \nx"),
            ("#/ \" { /# x", " x"),
            ("a / b /* c */", "a / b "),
            ("\"open\nx", " \nx"),
        ])
    func masks(source: String, withSpacesCollapsed: String) {
        let masked = CodeMask.codeOnly(source)
        #expect(masked.utf8.count == source.utf8.count)
        #expect(masked.replacing(#/\ +/#, with: " ") == withSpacesCollapsed)
    }
}
