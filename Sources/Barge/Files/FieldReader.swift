/// Takes the fields of a record in their order.
struct FieldReader {
    var rest: ArraySlice<SealedText.Field>

    mutating func take(_ key: String) -> String? {
        guard let field = rest.first, field.key == key else { return nil }
        rest.removeFirst()
        return field.value
    }
}
