import { lines, versionSnippet, type CheckedPackage } from "./snippet.js";

const numpy: CheckedPackage = {
  name: "numpy",
  source: "pyodide",
  module: "numpy",
  snippets: [
    versionSnippet("numpy", "import numpy\nnumpy.__version__"),
    {
      id: "numpy-arithmetic",
      title: "arithmetic of arrays",
      code: lines("import numpy as np", "a = np.arange(6).reshape(2, 3)", "(a @ a.T).tolist()"),
      expected: {
        value: [
          [5, 14],
          [14, 50],
        ],
      },
    },
    {
      id: "numpy-tool",
      title: "an array to a tool and back",
      code: lines(
        "import numpy as np",
        "back = tools.take(value=np.arange(4) * 2)",
        "int(np.asarray(back, dtype=float).sum())",
      ),
      expected: { taken: [[0, 2, 4, 6]], value: 12 },
    },
    {
      id: "numpy-scalars",
      title: "numbers of NumPy to a tool",
      code: lines(
        "import numpy as np",
        "tools.take(value={'mean': np.mean([1, 2, 4.5]), 'count': np.int64(3), 'any': np.bool_(True)})",
        "None",
      ),
      expected: { taken: [{ mean: 2.5, count: 3, any: true }] },
    },
    {
      id: "numpy-help",
      title: "help() of a function",
      code: lines("import numpy as np", "help(np.linspace)"),
      expected: { printed: ["linspace(", "evenly spaced"] },
    },
  ],
};

const pandas: CheckedPackage = {
  name: "pandas",
  source: "pyodide",
  module: "pandas",
  snippets: [
    versionSnippet("pandas", "import pandas\npandas.__version__"),
    {
      id: "pandas-html",
      title: "a DataFrame as the last expression is shown as a table",
      code: lines("import pandas as pd", "pd.DataFrame({'city': ['Oslo', 'Rome'], 'celsius': [7, 21]})"),
      expected: { displays: ["text/html"] },
    },
    {
      id: "pandas-describe",
      title: "describe()",
      code: lines("import pandas as pd", "pd.Series([7, 21]).describe()[['count', 'mean', 'max']].tolist()"),
      expected: { value: [2, 14, 21] },
    },
    {
      id: "pandas-csv",
      title: "read_csv() of a file in /workspace",
      code: lines(
        "from pathlib import Path",
        "import pandas as pd",
        "Path('/workspace/cities.csv').write_text('city,celsius\\nOslo,7\\nRome,21\\n')",
        "frame = pd.read_csv('/workspace/cities.csv')",
        "[list(frame.columns), int(frame['celsius'].sum())]",
      ),
      expected: { value: [["city", "celsius"], 28] },
    },
    {
      id: "pandas-groupby",
      title: "groupby()",
      code: lines(
        "import pandas as pd",
        "frame = pd.DataFrame({'kind': ['a', 'b', 'a'], 'count': [1, 2, 3]})",
        "frame.groupby('kind')['count'].sum().to_dict()",
      ),
      expected: { value: { a: 4, b: 2 } },
    },
    {
      id: "pandas-tool",
      title: "rows to a tool",
      code: lines(
        "import pandas as pd",
        "frame = pd.DataFrame({'city': ['Oslo', 'Rome'], 'celsius': [7, 21]})",
        "tools.take(value=frame.to_dict('records'))",
        "None",
      ),
      expected: {
        taken: [
          [
            { city: "Oslo", celsius: 7 },
            { city: "Rome", celsius: 21 },
          ],
        ],
      },
    },
  ],
};

const matplotlib: CheckedPackage = {
  name: "matplotlib",
  source: "pyodide",
  module: "matplotlib.pyplot",
  snippets: [
    versionSnippet("matplotlib", "import matplotlib\nmatplotlib.__version__"),
    {
      id: "matplotlib-show",
      title: "plt.plot() and plt.show() show a picture",
      code: lines("import matplotlib.pyplot as plt", "plt.plot([1, 4, 9])", "plt.show()"),
      expected: { displays: ["image/png"] },
    },
    {
      id: "matplotlib-open",
      title: "figures left open are shown at the end",
      code: lines(
        "import matplotlib.pyplot as plt",
        "for values in ([1, 2], [2, 1]):",
        "    plt.figure()",
        "    plt.plot(values)",
        "None",
      ),
      expected: { displays: ["image/png", "image/png"] },
    },
    {
      id: "matplotlib-savefig",
      title: "savefig() to BytesIO, and nothing is shown of a closed figure",
      code: lines(
        "import io",
        "import matplotlib.pyplot as plt",
        "figure, axes = plt.subplots()",
        "axes.bar(['a', 'b'], [1, 2])",
        "buffer = io.BytesIO()",
        "figure.savefig(buffer, format='png')",
        "plt.close(figure)",
        "buffer.getvalue()[1:4].decode()",
      ),
      expected: { value: "PNG", displays: [] },
    },
  ],
};

const scipy: CheckedPackage = {
  name: "scipy",
  source: "pyodide",
  module: "scipy.optimize",
  snippets: [
    versionSnippet("scipy", "import scipy\nscipy.__version__"),
    {
      id: "scipy-optimize",
      title: "optimize.minimize_scalar()",
      code: lines("from scipy import optimize", "round(float(optimize.minimize_scalar(lambda x: (x - 2) ** 2).x), 4)"),
      expected: { value: 2 },
    },
    {
      id: "scipy-linalg",
      title: "linalg.solve()",
      code: lines("from scipy import linalg", "linalg.solve([[3, 1], [1, 2]], [9, 8]).round(6).tolist()"),
      expected: { value: [2, 3] },
    },
    {
      id: "scipy-stats",
      title: "stats.norm",
      code: lines("from scipy import stats", "float(stats.norm.cdf(0))"),
      expected: { value: 0.5 },
    },
  ],
};

const pillow: CheckedPackage = {
  name: "pillow",
  source: "pyodide",
  module: "PIL.Image",
  snippets: [
    versionSnippet("pillow", "import PIL\nPIL.__version__"),
    {
      id: "pillow-save",
      title: "a picture is saved in /workspace and opened again",
      code: lines(
        "from PIL import Image",
        "Image.new('RGB', (4, 3), (0, 128, 128)).save('/workspace/dot.png')",
        "picture = Image.open('/workspace/dot.png')",
        "[picture.format, list(picture.size), list(picture.getpixel((1, 1)))]",
      ),
      expected: { value: ["PNG", [4, 3], [0, 128, 128]] },
    },
    {
      id: "pillow-value",
      title: "a picture as the last expression is shown",
      code: lines("from PIL import Image", "Image.new('RGB', (8, 8), 'teal')"),
      expected: { displays: ["image/png"] },
    },
    {
      id: "pillow-display",
      title: "display() of a picture",
      code: lines("from PIL import Image", "display(Image.new('RGB', (8, 8), 'teal').resize((4, 4)))", "None"),
      expected: { displays: ["image/png"] },
    },
  ],
};

/** They cannot be had where this is built: what is expected of them is what their documents say. */
export const pyodidePackages: readonly CheckedPackage[] = [numpy, pandas, matplotlib, scipy, pillow];
