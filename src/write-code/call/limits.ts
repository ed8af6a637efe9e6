/** Files of one call. */
export const MOST_FILES_OF_CALL = 5;
/** Characters of a description. */
export const LONGEST_DESCRIPTION = 100_000;
/** Imports of one list. */
export const MOST_IMPORTS = 200;
/** Characters of an import. */
export const LONGEST_IMPORT = 1000;
/** Pixels of a side of an image. */
export const SMALLEST_SIDE = 16;
export const LARGEST_SIDE = 4096;
export const USUAL_SIDE = 1024;
