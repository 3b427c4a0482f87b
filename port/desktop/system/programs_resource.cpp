// What a resource compiler would make of programs.manifest, for the programs of Windows: a tree of the type 24 (manifest), the name 1
// and the language 1033.
asm(R"(
    .section .rsrc,"dr"
    .balign 4
types:
    .long 0, 0, 0
    .short 0, 1
    .long 24, 0x80000000 + (names - types)
names:
    .long 0, 0, 0
    .short 0, 1
    .long 1, 0x80000000 + (languages - types)
languages:
    .long 0, 0, 0
    .short 0, 1
    .long 1033, place - types
place:
    .long text@imgrel, end - text, 0, 0
text:
    .incbin "programs.manifest"
end:
)");
