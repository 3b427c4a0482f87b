"""Prints the words for west.yml of a page, with the module taken from elsewhere: west_snippet.py PAGE URL-BASE REPOSITORY REVISION"""
import pathlib
import re
import sys


def main():
    page, url_base, repository, revision = sys.argv[1:]
    snippet = re.search(r"```yaml\n(manifest:\n.*?)```", pathlib.Path(page).read_text(), re.S)[1]
    text, bases = re.subn(r"url-base: .*", f"url-base: {url_base}", snippet)
    text, revisions = re.subn(r"revision: .*", f"revision: {revision}", text)
    assert (bases, revisions) == (1, 1), snippet
    print(re.sub(r"(\n +)revision:", rf"\1repo-path: {repository}\1revision:", text))


main()
