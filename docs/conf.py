"""Settings of the documentation site: ``make docs`` builds it with Sphinx, without network."""

from hoyle import __version__

project = "Hoyle"
author = "the Hoyle project"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
]
exclude_patterns = ["_build"]
html_show_copyright = False
html_theme = "furo"
html_title = f"Hoyle {release}"
html_extra_path = ["schema.html"]
html_static_path: list[str] = []

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
