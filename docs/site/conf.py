"""What Sphinx needs to make the site of the pages of the repository (make site, docs/site/site.sh).

The source folder holds the repository's folders under their names, so that links between pages are right as they stand. What Sphinx
cannot know of them is said here: a link to a folder means the README in it, a path between backticks is a link to that file, `man X`
and X(1) are links to manual pages, and pictures in HTML are to be copied."""
import os
import re
import shutil

project = "subdef"
html_title = "subdef"
html_theme = "furo"
extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns = ["site", "docs/site"]
highlight_language = "none"
smartquotes = False
myst_heading_anchors = 4
html_static_path = ["static"]
html_js_files = ["site.js"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# headings of pages that skip a level; Sphinx shows them as they are
suppress_warnings = ["myst.header"]

CODE_SPAN = re.compile(r"(?<![\[`])`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
PICTURE = re.compile(r'src(?:set)?="([^":]+)"')
MANUAL = re.compile(r"(?<![\w`\[/-])((?:subdef|sd)(?:\\?_|-|\w)*)\((1|3)\)")
pictures = set()


def manual_page(app, name, section):
    """The document of a manual page, or None. A page that consists of `.so man3/X.3` is that of X."""
    name = name.replace("\\", "")
    page = app.config.manual_aliases.get(name, name)
    document = f"man/{page}.{section}.md"
    return document if os.path.exists(os.path.join(app.srcdir, document)) else None


def found(app, folder, path):
    """The file that a path on a page of this folder means, from the source folder on; None if it is not there."""
    for start in (folder, "", "docs"):
        file = os.path.normpath(os.path.join(start, path))
        if file.startswith(".."):
            continue
        whole = os.path.join(app.srcdir, file)
        if os.path.isdir(whole):
            file = os.path.join(file, "README.md")
            whole = os.path.join(app.srcdir, file)
        if file == "README.md":
            return "index.md"
        if os.path.isfile(whole):
            return file
    return None


def link_pages(app, document, source):
    """Change the text of a page before it is parsed."""
    folder = os.path.dirname(document)

    def to(file):
        return os.path.relpath(file, folder or ".")

    def code_span(match):
        text = match.group(1)
        words = text.split()
        if len(words) == 2 and words[0] == "man":
            file = manual_page(app, words[1], "1") or manual_page(app, words[1], "3")
        elif re.fullmatch(r"[\w./-]+(/|\.\w+)", text):
            file = found(app, folder, text)
        else:
            file = None
        return f"[`{text}`]({to(file)})" if file and file != document + ".md" else match.group(0)

    def link(match):
        path, fragment = match.group(1), match.group(2) or ""
        if ":" in path:
            return match.group(0)
        file = found(app, folder, path)
        return f"]({to(file)}{fragment})" if file else match.group(0)

    def manual(match):
        file = manual_page(app, match.group(1), match.group(2))
        return f"[{match.group(0)}]({to(file)})" if file and file != document + ".md" else match.group(0)

    lines, fence = [], None
    for line in source[0].split("\n"):
        if line.lstrip().startswith("```"):
            fence = None if fence else line
        elif not fence and not line.startswith("    "):
            # links that are there first: those that are made next are right already
            line = CODE_SPAN.sub(code_span, LINK.sub(link, line))
            if document.startswith("man/"):
                line = MANUAL.sub(manual, line)
        pictures.update(os.path.normpath(os.path.join(folder, name)) for name in PICTURE.findall(line))
        lines.append(line)
    below = os.path.join(os.path.dirname(__file__), "below", document.replace("/", "-") + ".md")
    if os.path.exists(below):
        with open(below, encoding="utf-8") as f:
            lines += ["", f.read()]
    source[0] = "\n".join(lines)


def copy_pictures(app, failed):
    for name in [] if failed else sorted(pictures):
        target = os.path.join(app.outdir, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(os.path.join(app.srcdir, name), target)


def drop_script(app, page, template, context, doctree):
    """static/site.js takes the place of the theme's script."""
    context["script_files"] = [file for file in context["script_files"] if "scripts/furo.js" not in str(getattr(file, "filename", file))]


def setup(app):
    aliases = {}
    with open(os.path.join(app.srcdir, "man", "aliases"), encoding="utf-8") as f:
        for line in f:
            name, page = line.split()
            aliases[name] = page
    app.add_config_value("manual_aliases", aliases, "")
    app.connect("source-read", link_pages)
    app.connect("html-page-context", drop_script, priority=900)
    app.connect("build-finished", copy_pictures)
    # pages are read in one process and every time, so that `pictures` is complete
    return {"parallel_read_safe": False}
