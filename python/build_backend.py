"""Builds the wheel of the module: what `pip install .` calls (PEP 517), and by itself

    python3 build_backend.py BUILD OUT

which makes a wheel in the folder OUT of the libraries in the build folder BUILD (`make wheel`). A wheel has the module, both shared
libraries, and copies of what these need besides the C library, so that the system where it is installed need not have them.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
# what every system with the C library has
SYSTEM = ("linux-vdso.", "ld-linux", "libc.", "libm.", "libpthread.", "libdl.", "librt.", "libgcc_s.")


def project():
    """Name, version and so on of pyproject.toml, which Python 3.8 cannot read by itself."""
    with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as file:
        return dict(re.findall(r'^([a-z-]+) = "(.*)"$', file.read(), re.MULTILINE))


def needed(library):
    """Files of the shared libraries that a library needs, by their names."""
    text = subprocess.run(["ldd", library], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    found = re.findall(r"^\s*(\S+) => (\S+) ", text, re.MULTILINE)
    return {name: path for name, path in found if not name.startswith(SYSTEM)}


def content(build):
    """(name in the wheel, bytes) of all files but those that describe it."""
    for name in sorted(os.listdir(os.path.join(HERE, "subdef"))):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(HERE, "subdef", name), "rb") as file:
                yield "subdef/" + name, file.read()
    others = {}
    for name in ("libsubdef.so.0", "libsubdef-probe.so.0"):
        library = os.path.join(build, ".libs", name)
        others.update(needed(library))
        with open(library, "rb") as file:
            yield "subdef/lib/" + name, file.read()
    for name, path in sorted(others.items()):
        with open(path, "rb") as file:
            yield "subdef/lib/needed/" + name, file.read()


def make(build, out):
    """Write the wheel of a build; returns its name."""
    about = project()
    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    stem = "%s-%s" % (about["name"], about["version"])
    with open(os.path.join(ROOT, about["readme"]), encoding="utf-8") as file:
        readme = file.read()
    files = list(content(build))
    files.append((stem + ".dist-info/METADATA", (
        "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nLicense: MIT\nRequires-Python: %s\n"
        "Description-Content-Type: text/markdown\n\n%s" % (about["name"], about["version"], about["description"],
                                                           about["requires-python"], readme)).encode()))
    files.append((stem + ".dist-info/WHEEL", (
        "Wheel-Version: 1.0\nGenerator: subdef\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode()))
    with open(os.path.join(ROOT, "LICENSE"), "rb") as file:
        files.append((stem + ".dist-info/LICENSE", file.read()))
    record = ["%s,sha256=%s,%d" % (name, base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(),
                                   len(data)) for name, data in files]
    record.append(stem + ".dist-info/RECORD,,")
    files.append((stem + ".dist-info/RECORD", ("\n".join(record) + "\n").encode()))
    name = "%s-%s.whl" % (stem, tag)
    part = os.path.join(out, name + ".tmp")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # the same bytes each time
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    os.replace(part, os.path.join(out, name))
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Called by pip in the folder of the sources: configure and compile the libraries in a folder that goes away."""
    del config_settings, metadata_directory
    if not os.path.exists(os.path.join(ROOT, "configure")):
        subprocess.run(["autoreconf", "-fi"], cwd=ROOT, check=True)
    build = tempfile.mkdtemp(prefix="subdef-wheel-")
    try:
        subprocess.run([os.path.join(ROOT, "configure"), "--disable-tools", "--without-criterion", "--disable-static"], cwd=build,
                       check=True)
        subprocess.run(["make", "-j%d" % (os.cpu_count() or 1), "libsubdef.la", "libsubdef-probe.la"], cwd=build, check=True)
        return make(build, wheel_directory)
    finally:
        shutil.rmtree(build)


if __name__ == "__main__":
    print(os.path.join(sys.argv[2], make(sys.argv[1], sys.argv[2])))
