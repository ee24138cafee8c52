#!/usr/bin/env python3
"""The prober as two files to copy: subdef_probe.c and subdef_probe.h.

    amalgamate.py ROOT OUT FILE.c ...

ROOT: the folder of the sources; FILE.c: those of libsubdef-probe, named from there. They are put one behind the other, each header once
and before the first file that includes it, without comments and without what no function of the public headers needs. What is static in a
file keeps its name unless another file has the same; then the file's name is put behind it, but not where it begins with sd_. Functions that
files of the library share become static. Memory has a type of its own (cpp.c), so that the file is C++, too. Nothing else
is changed: a line of subdef_probe.c is a line of its source.

How the sources are read: definitions begin in the first column, as clang-format writes them, and functions have a blank before the
parenthesis. A source that is written otherwise does not compile in its new place, and the test of the two files says so.
"""

import os
import re
import sys

KNOWN = {"SD_DECODERS_ONLY": True, "_OPENMP": False, "__cplusplus": False}
TOKEN = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|([A-Za-z_]\w*)""")
ROW = re.compile(r"[A-Z_]+ ?\((\w+)?.*\)$")  # a macro that is a whole definition, such as a row of a list
LEFT = re.compile(r"SD_LEFT_BY \((\w+), \w+\)$")
MEMORY = re.compile(r"\bvoid \*(sd_alloc0?) \(")  # see cpp.c
# what `##` makes names of, rows of the lists: codecs whose row says OWN, and others
CODEC = re.compile(r"^SD_CODEC\((\w+), \d+, OWN\)", re.MULTILINE)
ROOTS = re.compile(r"^sd_prober_\w+$|^SD_(WHEN|MARK)_\w+$")


def fail(text):
    sys.exit("amalgamate.py: " + text)


# ---------------------------------------------------------------- reading

def without_comments(text):
    """Strings stay; a comment becomes a blank, its lines stay."""
    pattern = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)

    def one(match):
        found = match.group(0)
        return found if found[0] in "\"'" else " " if found.startswith("//") else " " + "\n" * found.count("\n")
    return pattern.sub(one, text)


def truth(directive, word):
    """Is the condition met? None: the compiler decides."""
    if directive in ("ifdef", "ifndef") and word in KNOWN:
        return KNOWN[word] == (directive == "ifdef")
    if directive == "ifndef" and re.fullmatch(r"(SD|SUBDEF)_\w+_H", word):
        return True
    return None


def decided(lines):
    """Lines without the conditions that are known here, and what they leave out."""
    out, stack = [], []
    for line in lines:
        match = re.match(r"#\s*(ifdef|ifndef|if|elif|else|endif)\b\s*(.*)", line)
        if not match:
            if all(taken is not False for taken in stack):
                out.append(line)
            continue
        directive, word = match.group(1), match.group(2).strip()
        if directive in ("ifdef", "ifndef", "if"):
            stack.append(truth(directive, word))
            known = stack[-1]
        else:
            known = stack[-1]
            if directive == "elif" and known is not None:
                fail("#elif behind a condition that is known here: " + line)
            if directive == "else" and known is not None:
                stack[-1] = not known
            if directive == "endif":
                stack.pop()
        if known is None and all(taken is not False for taken in stack):
            out.append(line)
    return out


class Sources:
    """Files with their includes put in."""

    def __init__(self, root):
        self.root, self.headers, self.system, self.parts = root, set(), [], []

    def lines(self, name):
        with open(os.path.join(self.root, name), encoding="utf-8") as file:
            text = without_comments(file.read())
        return decided(re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).split("\n"))

    def body(self, name):
        """Its lines; headers that it is the first to include become parts of their own."""
        out = []
        for line in self.lines(name):
            match = re.match(r'#\s*include\s+(["<])([^">]+)[">]', line)
            if not match:
                if line.strip() and not re.match(r"#\s*define (SD|SUBDEF)_\w+_H$", line) and not re.match(r"#\s*pragma omp\b", line):
                    out.append(line)
            elif match.group(1) == "<":
                if match.group(2) != "xxhash.h" and match.group(2) not in self.system:
                    self.system.append(match.group(2))
            elif match.group(2).endswith((".def", ".inc")):
                out.extend(self.body(match.group(2)))
            elif match.group(2) not in ("config.h", "engine/probe.h") and match.group(2) not in self.headers:
                self.headers.add(match.group(2))
                self.parts.append((match.group(2), self.body(match.group(2))))
        return out

    def add(self, name):
        self.parts.append((name, self.body(name)))


# ----------------------------------------------------------------- chunks

def chunks(lines):
    """Definitions, declarations and directives of the outermost level, as lists of lines."""
    out, part, depth = [], [], 0
    for line in lines:
        directive = line.startswith("#")
        continued = bool(part) and part[-1].endswith("\\")
        part.append(line)
        if directive or continued:
            if depth == 0 and len([one for one in part if one.startswith("#")]) == 1 and (directive and len(part) == 1 or continued):
                if not line.endswith("\\"):
                    out.append(part)
                    part = []
            continue
        bare = TOKEN.sub(lambda found: "" if found.group(1) else found.group(2), line)
        depth += bare.count("{") + bare.count("(") - bare.count("}") - bare.count(")")
        row = len(part) == 1 and ROW.match(line)
        if depth == 0 and (line.rstrip().endswith(";") or line == "}" or row):
            out.append(part)
            part = []
    if part:
        fail("a definition that does not end: " + part[0])
    return out


def words(text):
    """The names in a text, and those that base.h makes of SD_OWN (type)."""
    return [match.group(2) for match in TOKEN.finditer(text) if match.group(2)] + [
        word + "_leave" for word in re.findall(r"\bSD_OWN \((\w+)\)", text)]


def outside(text):
    """The text without what stands in braces and in attributes."""
    text = re.sub(r"__attribute__ \(\(.*?\)\)+", " ", text, flags=re.DOTALL)
    out, depth = [], 0
    for match in re.finditer(r'"(?:\\.|[^"\\])*"|.', text, re.DOTALL):
        one = match.group(0)
        depth += one == "{"
        if depth == 0 and len(one) == 1:
            out.append(one)
        depth -= one == "}"
    return "".join(out)


def defined(part):
    """The names that a chunk gives a meaning."""
    text = "\n".join(part)
    match = re.match(r"#\s*define\s+(\w+)", text)
    if match:
        return {match.group(1)}
    match = LEFT.match(text)
    if match:
        return {match.group(1) + "_leave"}
    if text.startswith("#") or ROW.match(text):
        return set()
    names = set(re.findall(r"\b(?:struct|union|enum) (\w+) \{", text))
    for inner in re.findall(r"\benum(?: \w+)? \{(.*?)\}", text, re.DOTALL):
        names.update(re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"=[^,]*", "", inner)))
    head = outside(text)
    match = re.search(r"\btypedef\b.*?(\w+)(?: \([^*].*|(?:\[.*?\])*);\s*$", head, re.DOTALL)
    if match:
        pointer = re.search(r"\(\*(\w+)\)", head)
        names.add(pointer.group(1) if pointer else match.group(1))
        return names
    if re.match(r"\s*(?:struct|union|enum)(?: \w+)?\s*;", head):
        return names | set(re.findall(r"(?:struct|union|enum) (\w+)\s*;", head))
    head = re.sub(r"=.*?(?=,\s*\*?\w+\s*(?:=|;|\[)|;\s*$)", "", head, flags=re.DOTALL)  # values of variables
    match = re.search(r"\b(\w+) \(", head)
    if match and "=" not in head[:match.start()]:
        names.add(match.group(1))
    else:
        names.update(re.findall(r"\b(\w+)\s*(?:\[[^\]]*\]\s*)*(?=[,;=])", head))
    return names


def is_local(part):
    """Does a chunk of a .c file define what only this file knows: static things, types, macros?"""
    head = outside("\n".join(part))
    return bool(re.search(r"\b(static|typedef)\b", head.split("(")[0]) or re.match(r"\s*(?:struct|union|enum)\b[^(]*;", head)
                or part[0].startswith("#"))


# -------------------------------------------------------------- renaming

def rename(part, names, ending):
    """Tokens that are one of the names get the ending, but not members behind a dot or an arrow."""
    def one(text):
        def replace(match):
            word = match.group(2)
            before = text[:match.start()].rstrip()
            if word not in names or before.endswith("->") or (before.endswith(".") and not before.endswith("..")):
                return match.group(0)
            return word + ending
        return TOKEN.sub(replace, text)
    return one("\n".join(part)).split("\n")


def amalgamate(sources):
    """The chunks of all parts, those of files with their local names made unique."""
    split = [(name, chunks(lines)) for name, lines in sources.parts]
    undone = {match.group(1) for _, parts in split for part in parts for line in part
              for match in [re.match(r"#\s*undef\s+(\w+)", line)] if match}
    rows = {match.group(1) for _, parts in split for part in parts for line in part for match in [ROW.match(line)] if match}
    owners = {}
    for name, parts in split:
        for word in {word for part in parts for word in defined(part) if not name.endswith(".c") or is_local(part)}:
            owners.setdefault(word, set()).add(name)
    out = []
    for name, parts in split:
        local = set()
        if name.endswith(".c"):
            local = {word for part in parts if is_local(part) for word in defined(part)
                     if len(owners[word]) > 1 and word not in undone | rows and not word.startswith(("sd_", "SD_"))}
        ending = "_" + re.sub(r"\W", "_", os.path.splitext(name)[0])
        out.append((name, [rename(part, local, ending) if local else part for part in parts], undone))
    return out


# ------------------------------------------------------------ what is needed

def is_pinned(part, undone):
    """Directives that mean something where they stand, whoever uses them."""
    match = re.match(r"#\s*(\w+)\s*(\w*)", part[0])
    return bool(ROW.match(part[0]) and not LEFT.match(part[0])) or bool(match) and (match.group(1) != "define" or match.group(2) in undone)


def needed(files, codecs):
    """The chunks that the public functions need, in their order. What is static in a file is needed by that file alone."""
    shared, own, every = {}, {}, []
    for name, parts, undone in files:
        for part in parts:
            every.append((name, part, is_pinned(part, undone)))
            local = name.endswith(".c") and is_local(part)
            for word in defined(part):
                (own.setdefault(name, {}) if local else shared).setdefault(word, []).append(len(every) - 1)
    keep = set()
    waiting = [number for table in [shared, *own.values()] for word, numbers in table.items()
               if word in codecs or ROOTS.match(word) for number in numbers]
    waiting += [number for number, (_, part, pinned) in enumerate(every) if pinned]
    while waiting:
        number = waiting.pop()
        if number not in keep:
            keep.add(number)
            name, part, _ = every[number]
            for word in set(words("\n".join(part))):
                waiting.extend(shared.get(word, ()))
                waiting.extend(own.get(name, {}).get(word, ()))
    kept = [(name, part) for number, (name, part, _) in enumerate(every) if number in keep]
    bodies = {word for _, part in kept if part[-1] == "}" for word in defined(part)}
    return [(name, part) for name, part in kept if not is_prototype(part) or defined(part) <= bodies]


def is_prototype(part):
    text = "\n".join(part)
    head = outside(text)
    return text.rstrip().endswith(";") and bool(re.search(r"\b\w+ \(", head)) and "=" not in head and "{" not in text \
        and not re.match(r"\s*typedef", head) and not text.startswith("#")


def static(part):
    """Functions that other files of the library call are nobody else's here."""
    text = "\n".join(part)
    if is_prototype(part) and not re.match(r"\s*(static|extern)\b", text):
        return ("static " + text).split("\n")
    return part


def main():
    root, out, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    here = os.path.dirname(os.path.abspath(__file__))
    sources = Sources(root)
    for name in names:
        sources.add(name)
    with open(os.path.join(root, "codecs", "codecs.def"), encoding="utf-8") as file:
        codecs = {"sd_codec_" + name for name in CODEC.findall(file.read())}
    kept = needed(amalgamate(sources), codecs)
    with open(os.path.join(root, "LICENSE"), encoding="utf-8") as file:
        licence = "/*\n" + "".join((" * " + line).rstrip() + "\n" for line in file) + " */\n"
    with open(os.path.join(here, "head.c"), encoding="utf-8") as file:
        head = file.read()
    text = licence + head + "".join("#include <%s>\n" % name for name in sorted(sources.system)) + '#include "subdef_probe.h"\n'
    for name in ("cpp.c", "xxh3.c"):
        with open(os.path.join(here, name), encoding="utf-8") as file:
            text += "\n" + file.read()
    text += "\n#pragma GCC visibility push(hidden)\n"
    last = None
    for name, part in kept:
        if name != last:
            text += "\n/* ---- %s ---- */\n" % name
            last = name
        text += MEMORY.sub(r"sd_memory \1 (", "\n".join(static(part))) + "\n"
    text += "\n#pragma GCC visibility pop\n"
    with open(os.path.join(root, "engine", "probe.h"), encoding="utf-8") as file:
        header = file.read()
    with open(os.path.join(root, "engine", "fathom.h"), encoding="utf-8") as file:
        fathom = file.read().replace('#include "probe.h"\n', "")
    for name, content in (("subdef_probe.c", text), ("subdef_probe.h", licence + header + "\n#ifdef SUBDEF_FATHOM /* Fathom's calls, too */\n" + fathom + "#endif\n")):
        path, part = os.path.join(out, name), os.path.join(out, "%s.%d.tmp" % (name, os.getpid()))
        if os.path.exists(path) and open(path, encoding="utf-8").read() == content:
            continue  # it keeps its time
        with open(part, "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(part, path)


main()
