"""Anchors of headings as the repository's pages write them in links."""
import re


def anchor(text, separator):
    """The anchor of a heading: lower case, only letters, digits, `-` and `_`, spaces as `separator`."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)
