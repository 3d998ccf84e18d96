import pathlib

import nbclient
import nbformat

NOTEBOOK = pathlib.Path(__file__).parents[3] / "docs" / "notebook.ipynb"


def test_the_notebook_runs_and_shows_pictures_a_table_and_an_error() -> None:
    notebook = nbclient.NotebookClient(nbformat.read(NOTEBOOK, 4), kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = [set(output.get("data", {})) for output in outputs]
    assert sum("image/png" in kinds for kinds in shown) == 3
    assert sum("text/html" in kinds for kinds in shown) == 2
    assert not any(output.get("name") == "stderr" for output in outputs)
