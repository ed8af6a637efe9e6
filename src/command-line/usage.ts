export const USAGE = `Copies Python packages into a folder of your site, where sessions find them, prints the policy that a site needs, and runs the
cells of its pages.

  vitrine packages add NAME…      copies packages, and all that they need
  vitrine packages list           says what is there
  vitrine packages check          looks for what is damaged, missing or not listed
  vitrine packages remove NAME…   takes packages out, and what only they needed
  vitrine csp                     prints what the Content-Security-Policy of the site has to allow for this version
  vitrine check PAGES…            runs the cells of built pages in a browser, and compares their outputs with what the pages show

A NAME may have versions and extras: numpy, "attrs>=25", "name[extra]".

  --to FOLDER         the folder; default: public/packages
  --json              prints the result as JSON
  --help              prints this

Where add looks, one after the other in the order in which they are given; default: --lockfile pyodide

  --lockfile pyodide  the packages that were built with the Pyodide of Vitrine
  --lockfile WHERE    another pyodide-lock.json: an address or a file
    --files WHERE       address or folder of its files; default: where it lies, and for "pyodide" where Pyodide publishes them
  --index ADDRESS     a simple index in JSON (PEP 691)
    --host HOST         another host that its files may come from; may be given several times
  --upgrade           takes the newest of all packages, also of those that are there; NAME may be left out

What csp prints the policy for; default: a site that knows its scripts by its own origin

  --nonce             scripts have a nonce; NONCE stands for the value that the server makes for each answer
  --strict-dynamic    the same, and what they load is trusted with them

What check looks at; PAGES are HTML files, folders of them and patterns like "docs/**"

  --root FOLDER       the folder of the site; default: the one that all PAGES lie in
  --base PATH         the path at which the site appears: /project/; default: /
  --write             writes the outputs into the <output>s of the files, in the place of comparing them
  --timeout SECONDS   what a cell may take, with all that it loads; default: 120
  --browser NAME      chromium, firefox or webkit of Playwright, which your site has to install; default: chromium
  --executable FILE   another browser of that kind
  --headed            shows the browser
  --allow-network     lets pages reach other hosts than the site itself

Ends with 0, with 1 where something failed or a check found a problem, and with 2 where it was called in a wrong way.
`;
