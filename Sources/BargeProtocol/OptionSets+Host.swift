#if !hasFeature(Embedded)
    // On a host the flags are option sets. On a microcontroller they are not: a set's literal is an
    // array, and arrays allocate.
    extension Hello.Features: OptionSet {}
    extension ImageSlot.Flags: OptionSet {}
#endif
