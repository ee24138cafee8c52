"""Links of a site that lead nowhere, and what its pages would ask other servers for: site_links.py FOLDER. A line for each."""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The targets, links and resources of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        for key in ("id", "name"):
            self.ids.add(a.get(key))
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        elif tag == "link" and a.get("rel") not in ("next", "prev", "canonical"):
            self.loaded.append(a.get("href", ""))
        elif tag in ("script", "img", "source", "iframe"):
            self.loaded += [a[key].split()[0] for key in ("src", "srcset") if a.get(key)]


def main(top):
    pages, faults = {}, []
    for folder, _, files in os.walk(top):
        for name in files:
            if name.endswith(".html"):
                file = os.path.join(folder, name)
                with open(file, encoding="utf-8") as f:
                    pages[file] = Page(f.read())
    for file, page in sorted(pages.items()):
        name = os.path.relpath(file, top)
        for link in page.links + page.loaded:
            url = urllib.parse.urlsplit(link)
            if url.scheme == "data":
                continue
            if url.scheme or url.netloc:
                if link in page.loaded:
                    faults.append(f"{name}: loads {link}")
                continue
            target = file
            if url.path:
                target = os.path.normpath(os.path.join(os.path.dirname(file), urllib.parse.unquote(url.path)))
            if not os.path.isfile(target):
                faults.append(f"{name}: {link} is not there")
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].ids:
                faults.append(f"{name}: {link}: no such heading")
    print("\n".join(dict.fromkeys(faults)))
    return bool(faults) or not pages


sys.exit(main(sys.argv[1]))
